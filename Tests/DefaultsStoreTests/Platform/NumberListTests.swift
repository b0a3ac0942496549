@testable import DefaultsStore
import Testing

/// The list that takes the place of an array where every new process has one.
struct NumberListTests {
    private func numbers(of list: borrowing NumberList) -> [UInt64] {
        var numbers: [UInt64] = []
        list.forEach { numbers.append($0) }
        return numbers
    }

    @Test func `numbers are added behind, also beyond the first room`() {
        var list = NumberList()
        for number in 0..<100 as Range<UInt64> { list.append(number) }
        #expect(numbers(of: list) == Array(0..<100))
    }

    @Test func `a number is taken away once, and the others stay`() {
        var list = NumberList()
        for number in [1, 2, 3, 2] as [UInt64] { list.append(number) }
        let (first, second, third, none) = (list.remove(2), list.remove(2), list.remove(2), list.remove(7))
        #expect([first, second, third, none] == [true, true, false, false])
        #expect(numbers(of: list).sorted() == [1, 3])
    }

    @Test func `the last one is taken first, and of nothing there is none`() {
        var list = NumberList()
        let none = list.popLast()
        list.append(1)
        list.append(2)
        let (one, other, end) = (list.popLast(), list.popLast(), list.popLast())
        #expect([none, one, other, end] == [nil, 2, 1, nil])
    }

    @Test func `what is handed over is gone, and what comes then is new`() {
        var list = NumberList()
        for number in 0..<20 as Range<UInt64> { list.append(number) }
        let taken = list.take()
        list.append(7)
        #expect(numbers(of: taken) == Array(0..<20))
        #expect(numbers(of: list) == [7])
    }
}
