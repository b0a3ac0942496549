import Glibc
import Synchronization

// Unchecked is sound because the address is constant, stays mapped to the end, and is used by atomic operations alone.
/// Numbers that several processes share: a file mapped by each.
public final class SharedNumbers: @unchecked Sendable {
    private let numbers: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int

    /// Maps so many numbers of a file, which is made, or grows, where need be.
    public init(path: String, count: Int) throws(SystemFailure) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemFailure("open", path) }
        defer { close(file) }
        let size = count * MemoryLayout<Int>.stride
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SystemFailure("fstat", path) }
        if status.st_size < size, ftruncate(file, size) != 0 { throw SystemFailure("ftruncate", path) }
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let address, address != MAP_FAILED else { throw SystemFailure("mmap", path) }
        numbers = address.bindMemory(to: Atomic<Int>.self, capacity: count)
        self.count = count
    }

    /// One number; a load sees what was stored before it in any process.
    public subscript(place: Int) -> Int {
        get {
            precondition(place < count, "a place beyond the numbers")
            return numbers[place].load(ordering: .sequentiallyConsistent)
        }
        set {
            precondition(place < count, "a place beyond the numbers")
            numbers[place].store(newValue, ordering: .sequentiallyConsistent)
        }
    }

    /// Adds 1 to a number.
    public func countUp(_ place: Int) {
        precondition(place < count, "a place beyond the numbers")
        numbers[place].add(1, ordering: .sequentiallyConsistent)
    }

    /// Makes a number at least so great.
    public func raise(_ place: Int, to value: Int) {
        precondition(place < count, "a place beyond the numbers")
        numbers[place].max(value, ordering: .sequentiallyConsistent)
    }

    /// Waits until a number is at least so large; gives the processor away meanwhile.
    ///
    /// - Throws: after ten minutes.
    public func wait(_ place: Int, reaches limit: Int) throws(SystemFailure) {
        let end = Clock.now() + 600_000_000_000
        while self[place] < limit {
            guard Clock.now() < end else { throw SystemFailure(waitingFor: "a peer process") }
            Clock.pause(microseconds: 50)
        }
    }
}
