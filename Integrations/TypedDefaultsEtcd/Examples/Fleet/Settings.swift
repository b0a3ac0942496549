import TypedDefaults

extension Defaults.Keys {
    static let volume = Key<Double>("volume", default: 0.8, validation: .range(0...1))
    static let theme = Key<String>("theme", default: "light")
    static let telemetry = Key<Bool>("telemetry", default: true)
}

/// Where the settings of the whole fleet stand in etcd.
let prefix = "/config/player"
