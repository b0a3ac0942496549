/// One key's change: what a write stages, a record says, and a state has until the next checkpoint.
///
/// A class, because all of these keep the same one.
package final class StoredChange: Sendable {
    package let key: KeyName
    /// Nil for a removal, and for a patch read from a record, whose value is not known yet.
    package let value: StoredValue?
    /// What it sets and removes inside of an object; nil for a change of the whole value.
    let patch: MergePatch?
    /// The stored value that `patch` was computed from.
    ///
    /// Applied to it, the patch gives `value`. Nil after the commit.
    private let base: StoredValue?
    let isRemoval: Bool
    /// Allowed below a locked value, which still applies: an explicit removal, and a step of a migration.
    let passesLocks: Bool
    /// Whether the value spans several lines, which no record may.
    private let hasLineEnds: Bool

    package convenience init(_ value: StoredValue?, forKey key: KeyName, passesLocks: Bool = false) {
        self.init(value, forKey: key, passesLocks: passesLocks, patch: nil)
    }

    init(
        _ value: StoredValue?, forKey key: KeyName, passesLocks: Bool, patch: MergePatch?,
        base: StoredValue? = nil
    ) {
        self.key = key
        self.value = value
        self.passesLocks = passesLocks
        self.patch = patch
        self.base = base
        isRemoval = value == nil && patch == nil
        hasLineEnds = value?.hasLineEnds ?? false
    }

    var isWholeObject: Bool { patch == nil && value?.isObject == true }

    /// F25: returns the same change of an object as a patch of what is stored.
    func namingMembers(of stored: StoredValue?) -> StoredChange {
        guard let value, value.isObject, stored?.isObject != false, case .object(let after) = value.value
        else {
            return self
        }
        let patch = MergePatch(from: stored?.value.object ?? [:], to: after)
        return StoredChange(
            value, forKey: key, passesLocks: passesLocks, patch: patch.isReadable ? patch : nil,
            base: stored)
    }

    /// Returns the change to commit over what is stored now: the patch applied to an object, all members if nothing
    /// is stored, otherwise the whole value.
    ///
    /// - Cost: reads neither value if nobody has stored another one since the patch was made.
    func merged(into stored: StoredValue?) -> StoredChange {
        if stored == base {
            return StoredChange(value, forKey: key, passesLocks: passesLocks, patch: patch)
        }
        guard stored?.isObject == true else {
            return StoredChange(value, forKey: key, passesLocks: passesLocks).namingMembers(of: stored)
        }
        return applied(to: stored)
    }

    /// Applies the patch to `stored`; without a patch, returns itself.
    func applied(to stored: StoredValue?) -> StoredChange {
        guard let patch else { return self }
        let before = stored?.value.object
        let after = patch.applied(to: before ?? [:])
        return StoredChange(
            after == before ? stored : StoredValue(.object(after)), forKey: key, passesLocks: passesLocks,
            patch: patch)
    }

    /// One change for `earlier` and then this one, with this one's value.
    func following(_ earlier: StoredChange?) -> StoredChange {
        guard let patch, let earlier else { return self }
        // After a change of the whole value, the whole is what was set.
        return StoredChange(
            value, forKey: key, passesLocks: passesLocks, patch: earlier.patch.map { patch.following($0) })
    }

    var valueOnOneLine: StoredValue? { hasLineEnds ? value?.onOneLine : value }
}
