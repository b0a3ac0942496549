/// A short list of numbers.
///
/// Not an array: the runtime instantiates an array's type at its first use in a process, which takes longer than
/// everything that a new process does with such a list, and as long as checking five files.
// A pointer is sound because only this list, which cannot be copied, has it: `count` numbers are initialised there,
// in room for `capacity`.
struct NumberList: ~Copyable {
    private var start: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private var count = 0

    init() {
        capacity = 8
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// Adds a number at the end.
    mutating func append(_ number: UInt64) {
        if count == capacity {
            let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: start, count: count)
            start.deallocate()
            (start, capacity) = (larger, capacity * 2)
        }
        (start + count).initialize(to: number)
        count += 1
    }

    /// Removes the last number.
    mutating func popLast() -> UInt64? {
        guard count > 0 else { return nil }
        count -= 1
        return start[count]
    }

    /// Removes one occurrence of a number; the order of the others is not preserved.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    mutating func remove(_ number: UInt64) -> Bool {
        for place in 0..<count where start[place] == number {
            count -= 1
            start[place] = start[count]
            return true
        }
        return false
    }

    /// Calls a function with each number.
    func forEach(_ body: (UInt64) -> Void) {
        for place in 0..<count { body(start[place]) }
    }

    /// Moves the numbers out of the list.
    mutating func take() -> NumberList {
        let taken = self
        self = NumberList()
        return taken
    }
}
