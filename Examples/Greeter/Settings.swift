import TypedDefaults

extension Defaults.Keys {
    static let greeting = Key<String>("greeting", default: "Hello", description: "what is said")
    static let whom = Key<String>("whom", default: "world", description: "who is greeted")
    static let times = Key<Int>("times", default: 1, validation: .range(1...10), description: "how often")
    static let shout = Key<Bool>("shout", default: false, description: "whether in capitals")

    static let config = OptionalKey<String>("config", description: "a file of factory defaults")
    static let explain = OptionalKey<String>("explain", description: "a setting whose domain is asked for")
}

/// A setting that `greeter set` stores.
struct Setting: Sendable {
    let key: Defaults.AnyKey
    /// Stores the value that a text spells.
    let store: @Sendable (String) throws -> Void

    static let all = [Setting(.greeting), Setting(.whom), Setting(.times), Setting(.shout)]

    private init<Value: LosslessStringConvertible & Sendable>(_ key: Defaults.Key<Value>) {
        self.key = key
        store = { text in
            guard let value = Value(text) else {
                throw Misuse("\"\(text)\" is no value of \(key.name), which is of the type \(Value.self)")
            }
            try key.suite.set(key, to: value)
        }
    }
}

/// A command line that makes no sense.
struct Misuse: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
