import TypedDefaults

/// What an observer of this process hears, kept until it is asked for.
extension Conversation {
    /// Keeps each change of a key as `[old, new, cause]`.
    func observe(_ key: String) throws -> DefaultsObservation {
        let events = events
        return suite.observe(forKey: key, options: [.old, .new]) { change in
            events.append(
                .array([
                    change.oldValue ?? .null, change.newValue ?? .null,
                    .string(Conversation.text(of: change.cause)),
                ]))
        }
    }

    /// Observes a key for as long as an object lives, and keeps a last event, `released`, when the handler is let go.
    func observe(_ key: String, for owner: AnyObject) {
        let released = Released(events)
        suite.observe(forKey: key, options: []) { _ in withExtendedLifetime(released) {} }.tieToLifetime(
            of: owner)
    }

    private final class Released: Sendable {
        private let events: Mailbox<DefaultsValue>
        init(_ events: Mailbox<DefaultsValue>) { self.events = events }
        deinit { events.append("released") }
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
