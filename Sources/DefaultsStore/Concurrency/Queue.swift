/// Elements that are taken in the order in which they came.
///
/// What was taken is the taker's alone. A slice of an array would keep it until its memory is replaced, and release it
/// wherever that happens, perhaps under a lock.
package struct Queue<Element> {
    private var came: [Element] = []
    /// Those to be taken before all of these, the next one last.
    private var next: [Element] = []

    package init() {}

    /// Whether there is nothing to take.
    package var isEmpty: Bool { came.isEmpty && next.isEmpty }

    /// How many elements there are.
    package var count: Int { came.count + next.count }

    /// The element to be taken next.
    package var first: Element? { next.last ?? came.first }

    /// Adds an element behind the others.
    package mutating func append(_ element: Element) { came.append(element) }

    /// Takes the first element.
    package mutating func popFirst() -> Element? {
        if next.isEmpty {
            swap(&came, &next)
            next.reverse()
        }
        return next.popLast()
    }
}
