import TypedDefaults

extension Defaults.Keys {
    static let host = Key<String>("http.host", default: "127.0.0.1")
    static let port = Key<Int>("http.port", default: 8080, validation: .range(0...65_535))
    static let greeting = Key<String>("greeting", default: "Hello")
    static let times = Key<Int>("times", default: 1, validation: .range(1...5))
}
