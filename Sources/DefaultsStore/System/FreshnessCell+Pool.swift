import Synchronization

/// Where the cells are, and what is done to all of them at once.
///
/// A cell that is given back is reused for a later store, and never freed: a reader may still be looking at it.
extension FreshnessCell {
    /// The address of a cell, which stays valid for ever.
    package typealias Place = UnsafePointer<FreshnessCell>

    private struct Pool: ~Copyable {
        var used = NumberList()
        var free = NumberList()
        var bypasses = 0
        /// An epoch that no cell of an ancestor has passed.
        var floor: UInt64 = 0
    }

    private static let pool = Locked(Pool())  // A leaf: nothing is taken or called under it.

    // Unsafe is sound because it is never freed, and written by nobody.
    /// A cell whose moment no cache ever noted: the initial cell of a cache that has found nothing yet.
    package nonisolated(unsafe) static let never: Place = {
        let place = make()
        place.pointee.set(.ended, true)
        return place
    }()

    /// Returns a cell of the caller's own, until it is given back.
    ///
    /// - Parameter hasFile: whether the generation is that of a lock file, to be named by ``follow(_:isWatched:)``.
    static func take(hasFile: Bool) -> Place {
        let number = pool.withLock { pool in
            let number = pool.free.popLast() ?? UInt64(UInt(bitPattern: make()))
            pool.used.append(number)
            place(number).pointee.begin(
                isUnmapped: hasFile, isBypassed: pool.bypasses > 0, after: pool.floor)
            return number
        }
        return place(number)
    }

    /// Gives a cell back: what is cached under it is outdated for ever.
    static func giveBack(_ place: Place) {
        let number = UInt64(UInt(bitPattern: place))
        pool.withLock { pool in
            guard pool.used.remove(number) else { return }
            FreshnessCell.place(number).pointee.set(.ended, true)
            pool.free.append(number)
        }
    }

    private static func place(_ number: UInt64) -> Place {
        guard let place = Place(bitPattern: UInt(number)) else { preconditionFailure("a cell has a place") }
        return place
    }

    /// Creates a cell in a cache line of its own, so that stores do not slow each other down.
    private static func make() -> Place {
        let raw = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        let place = raw.bindMemory(to: FreshnessCell.self, capacity: 1)
        place.initialize(to: FreshnessCell())
        return Place(place)
    }

    /// Sends all reads of this process past the caches until ``endBypass(begunAfter:)``.
    ///
    /// - Returns: how many forks were before it, for its end.
    package static func beginBypass() -> UInt32 {
        pool.withLock { pool in
            pool.bypasses += 1
            if pool.bypasses == 1 { pool.used.forEach { place($0).pointee.set(.bypassed, true) } }
            return Fork.count
        }
    }

    /// Lets reads use the caches again when the last such time is over.
    ///
    /// - Parameter forks: what ``beginBypass()`` has returned. One whose body forked was begun by the parent, and is not
    ///   among those that the child counts.
    package static func endBypass(begunAfter forks: UInt32) {
        pool.withLock { pool in
            guard forks == Fork.count else { return }
            pool.bypasses -= 1
            if pool.bypasses == 0 { pool.used.forEach { place($0).pointee.set(.bypassed, false) } }
        }
    }

    /// In a forked child, makes everything of the parent's stores outdated: nothing notifies them of changes any
    /// more.
    static func endInherited() {
        pool.withLock { pool in
            // A key keeps its last moment until it is looked up in a cell of the child's, which must not reach the
            // same moment.
            var floor = pool.floor
            pool.used.forEach { floor = max(floor, place($0).pointee.epoch) }
            pool.free.forEach { floor = max(floor, place($0).pointee.epoch) }
            pool.floor = floor
            pool.used.take().forEach { place($0).pointee.set(.ended, true) }
            // The threads of the parent that went past the caches are not here, but for the one that forked in a body.
            // There each key is looked up anew at its next read.
            pool.bypasses = 0
        }
    }
}
