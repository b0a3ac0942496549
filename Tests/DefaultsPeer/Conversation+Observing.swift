import TypedDefaults

/// What an observer of this process hears, kept until it is asked for.
extension Conversation {
    /// Keeps each change of a key as `[old, new, cause]`.
    func observe(_ key: String) throws -> DefaultsObservation {
        let events = events
        return suite.observe(key: key, options: [.old, .new]) { change in
            events.append(
                .array([
                    change.oldValue ?? .null, change.newValue ?? .null,
                    .string(Conversation.text(of: change.cause)),
                ]))
        }
    }

    private static func text(of cause: DefaultsChange.Cause) -> String {
        switch cause {
        case .thisProcess: "thisProcess"
        case .otherProcess(let process): "otherProcess \(process.map(String.init) ?? "unknown")"
        case .fileEdited: "fileEdited"
        case .defaultsChanged(let source): "defaultsChanged \(source)"
        }
    }
}
