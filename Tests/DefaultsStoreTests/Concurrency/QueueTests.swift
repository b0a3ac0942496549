/// Elements that are taken in the order in which they came, and of which nothing stays behind.
import DefaultsStore
import Testing

@Suite struct QueueTests {
    @Test(arguments: [1, 2, 3, 7])
    func `elements are taken in the order in which they came`(burst: Int) {
        var queue = Queue<Int>()
        var (next, taken) = (0, [Int]())
        for round in 0..<40 {
            for _ in 0..<burst {
                queue.append(next)
                next += 1
            }
            for _ in 0..<(round % (burst + 2)) { if let one = queue.popFirst() { taken.append(one) } }
            #expect(queue.count == next - taken.count)
            #expect(queue.isEmpty == (taken.count == next))
        }
        while let one = queue.popFirst() { taken.append(one) }
        #expect(taken == Array(0..<next))
        #expect(queue.popFirst() == nil && queue.isEmpty)
    }

    @Test func `what was taken ends with its taker, however many are left`() {
        final class Element {}
        var queue = Queue<Element>()
        for _ in 0..<100 { queue.append(Element()) }
        for _ in 0..<99 {
            var taken = queue.popFirst()
            let known = { [weak taken] in taken }
            #expect(known() != nil)
            taken = nil
            #expect(known() == nil)
        }
        #expect(queue.count == 1)
    }
}
