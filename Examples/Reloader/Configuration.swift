import TypedDefaults

extension Defaults.Keys {
    static let port = Key<Int>("port", default: 8080, validation: .range(1...65_535))
    static let workers = Key<Int>("workers", default: 2, validation: .range(1...64))
    static let level = Key<LogLevel>("level", default: .info)
}

enum LogLevel: String, Codable, CaseIterable, Sendable {
    case debug, info, error
}

/// All settings as they were at one moment, which the service works with until there are others.
struct Configuration: Equatable, Sendable, CustomStringConvertible {
    let port: Int
    let workers: Int
    let level: LogLevel

    init(_ snapshot: DefaultsSnapshot) {
        port = snapshot[.port]
        workers = snapshot[.workers]
        level = snapshot[.level]
    }

    /// Says in a file beside the settings what may be in them, for the editor of whoever changes them.
    static func writeSchema(for suite: DefaultsSuite) throws -> String {
        try suite.writeSchema(of: [.port, .workers, .level], allowsOtherKeys: false, addsReference: true)
    }

    var description: String { "port \(port), \(workers) workers, level \(level)" }
}
