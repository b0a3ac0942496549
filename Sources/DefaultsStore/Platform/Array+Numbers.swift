/// The lists of numbers that every process keeps: its open files, its mapped pages, its cells.
///
/// They are arrays of `Int`, whatever the numbers are, because that type is one that the standard library comes with. To
/// make another one's array at its first use takes a new process a tenth of the time in which it opens a suite.
extension [Int] {
    /// Removes one occurrence of a number.
    ///
    /// - Returns: whether it was there.
    mutating func removeOne(_ number: Int) -> Bool {
        guard let place = firstIndex(of: number) else { return false }
        remove(at: place)
        return true
    }
}
