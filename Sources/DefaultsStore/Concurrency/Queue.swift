/// Elements that are taken in the order in which they came.
///
/// What was taken is the taker's alone. A slice of an array would keep it until its memory is replaced, and release it
/// wherever that happens, perhaps under a lock.
package struct Queue<Element> {
    private var came: [Element] = []
    /// Those to be taken before all of these, the next one last.
    private var next: [Element] = []

    package init() {}

    package var isEmpty: Bool { came.isEmpty && next.isEmpty }

    package var count: Int { came.count + next.count }

    package var first: Element? { next.last ?? came.first }

    package mutating func append(_ element: Element) { came.append(element) }

    package mutating func popFirst() -> Element? {
        if next.isEmpty {
            swap(&came, &next)
            next.reverse()
        }
        return next.popLast()
    }
}
