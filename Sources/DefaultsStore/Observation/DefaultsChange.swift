/// One change of a key's effective value, or the value at the start of an observation.
public struct DefaultsChange: Hashable, Sendable {
    /// What made a value change.
    public enum Cause: Hashable, Sendable {
        /// A write of this process, or a transient value, command line or environment that it added.
        case thisProcess
        /// A write of another process, with its id if it is known.
        ///
        /// Several writes seen at once carry the last one's id, and so does an edit of the file that is seen at once with
        /// them.
        case otherProcess(Int32?)
        /// The settings file, or an administrator's, was saved by a program that does not use this library, such as
        /// an editor.
        case fileEdited
        /// A default value changed; the string names what supplies it.
        case defaultsChanged(String)
    }

    /// The key.
    public let key: String
    /// The effective value before: the `newValue` that this observer received last.
    ///
    /// Nil if there was none, or if only `.new` was requested.
    public let oldValue: DefaultsValue?
    /// The effective value now.
    ///
    /// Nil if there is none, or if only `.old` was requested.
    public let newValue: DefaultsValue?
    /// Whether this is the event that `.initial` requests; then both values are the current one.
    public let isInitial: Bool
    /// What made the value change; `.thisProcess` for the initial event.
    public let cause: Cause
    /// Whether the key is declared secret: then both values are here, but are left out where the change is printed.
    public internal(set) var isSecret = false
}

extension DefaultsChange: CustomReflectable {
    /// What is printed and dumped: everything but the values of a secret key.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "key": key, "oldValue": HiddenValue.unless(!isSecret, oldValue as Any),
                "newValue": HiddenValue.unless(!isSecret, newValue as Any), "isInitial": isInitial,
                "cause": cause,
                "isSecret": isSecret,
            ], displayStyle: .struct)
    }
}

extension DefaultsChange.Cause: CustomStringConvertible {
    /// The cause in words: `process 12754`, `file edited`.
    public var description: String {
        switch self {
        case .thisProcess: "this process"
        case .otherProcess(let id?): "process \(id)"
        case .otherProcess(nil): "another process"
        case .fileEdited: "file edited"
        case .defaultsChanged(let source): "defaults changed: \(PrintedText.escaped(source))"
        }
    }
}

/// What an observer wants to receive, as in key-value observing.
public struct DefaultsObservationOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int
    /// Creates options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An event at once, with the current value as the old and the new one.
    public static let initial = DefaultsObservationOptions(rawValue: 1)
    /// The old value in untyped changes, without the new one unless that is requested too; typed changes, and untyped ones
    /// of which neither is requested, carry both.
    public static let old = DefaultsObservationOptions(rawValue: 2)
    /// The new value, in the same way.
    public static let new = DefaultsObservationOptions(rawValue: 4)

    var values: DefaultsObservationOptions {
        let requested = intersection([.old, .new])
        return requested.isEmpty ? [.old, .new] : requested
    }
}
