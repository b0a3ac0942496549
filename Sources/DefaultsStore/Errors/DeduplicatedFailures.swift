/// The lasting failures that have been reported, each once until it is fixed.
package struct DeduplicatedFailures {
    /// What has failed, and is tried again as a whole: when it succeeds, its failures are over.
    package enum Matter: Hashable, Sendable {
        case file
        case managedFile
        case managedParts
        case systemDefaults
        /// Values that do not decode, or fail a validation of theirs; over when the value is another.
        case values
        case validations
        /// Having something done later: on a thread of the library's.
        case waking
        /// Being notified of changes by the kernel.
        case watching
        /// Bringing the settings file up to date, and restarting the journal after that.
        case checkpoints
        /// Keeping versions of the settings file.
        case versions
        /// Completing what a dead writer has left.
        case recovering
    }

    private var known: [Matter: KnownFailures] = [:]

    var isEmpty: Bool { known.isEmpty }

    /// - Returns: whether the failure is new.
    mutating func record(_ error: DefaultsError, in matter: Matter?, of suite: String) -> Bool {
        known[matter ?? (error.key == nil ? .file : .values), default: KnownFailures()]
            .insert(DeduplicatedFailures.id(of: error, suite))
    }

    /// Records what is wrong now, and nothing else.
    ///
    /// - Returns: the failures that are new, and `.recovered` for each file that could not be read and can be now.
    mutating func record(only errors: [DefaultsError], in matter: Matter, of suite: String) -> [DefaultsError]
    {
        let before = known.removeValue(forKey: matter) ?? KnownFailures()
        let new = errors.filter { error in
            let id = DeduplicatedFailures.id(of: error, suite)
            return record(error, in: matter, of: suite) && !before.contains(id)
        }
        let stillUnread = Set(errors.filter(DeduplicatedFailures.isUnread).map(\.path))
        let unread = Set(before.ofNoKey.filter(DeduplicatedFailures.isUnread).map(\.path))
        return new
            + unread.subtracting(stillUnread).map { path in
                DefaultsError(
                    .recovered, suite: suite, path: path,
                    underlyingDescription: "it can be read now, or is gone")
            }
    }

    private static func isUnread(_ error: DefaultsError) -> Bool {
        error.path != nil
            && (error.code == .malformedFile || error.code == .ioFailure || error.code == .insecureDirectory)
    }

    mutating func forget(_ matter: Matter, where isOver: (DefaultsError) -> Bool) {
        change(matter) { $0.remove(where: isOver) }
    }

    /// The bytes of the keys whose values do not decode, or fail a validation.
    var keys: [[UInt8]] { known[.values]?.keys ?? [] }

    /// Forgets what is wrong with the values of some keys, and that the file has them more than once.
    mutating func forget(keys: some Sequence<[UInt8]>) {
        for matter in [Matter.values, .file] { change(matter) { for key in keys { $0.remove(ofKey: key) } } }
    }

    mutating func forgetValues(ofKeys keys: some Sequence<[UInt8]>) {
        change(.values) { for key in keys { $0.remove(ofKey: key) } }
    }

    private mutating func change(_ matter: Matter, _ body: (inout KnownFailures) -> Void) {
        guard var failures = known.removeValue(forKey: matter) else { return }
        body(&failures)
        if !failures.isEmpty { known[matter] = failures }
    }

    /// The identity of a failure: independent of the line of a damaged value, of whether its place is known,
    /// and of whether the suite is named.
    private static func id(of error: DefaultsError, _ suite: String) -> DefaultsError {
        var id = error.inSuite(suite)
        if error.key != nil { (id.path, id.line, id.column) = (nil, nil, nil) }
        return id
    }
}
