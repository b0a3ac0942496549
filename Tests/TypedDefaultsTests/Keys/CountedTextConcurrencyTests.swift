import DefaultsStore
import Synchronization
import TestSupport
import Testing

@testable import TypedDefaults

#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Copies of a text that take references counted ahead.
    @Suite(.ownThread, .timeLimit(.minutes(60))) struct CountedTextConcurrencyTests {
        private let long = (0..<4).map { "text \($0), which is too long for the two words" }

        /// A text and the stamp beside it, as a slot has them.
        private final class Place: Sendable {
            let stamp = Atomic<UInt64>(0)
            let text = CountedText()

            func put(_ value: String, at moment: UInt64) throws {
                let counting = try #require(ReferenceCounting.ofTexts)
                stamp.store(0, ordering: .relaxed)
                atomicMemoryFence(ordering: .releasing)
                let isPut = text.put(String(decoding: Array(value.utf8), as: UTF8.self), counting)
                #expect(isPut)
                stamp.store(moment, ordering: .releasing)
            }

            func copy(at moment: UInt64) -> String? { text.copy(stamp, at: moment) }
            func current() -> String? { text.current() }
            func countAhead(_ object: UInt64, _ counting: ReferenceCounting) {
                text.countAhead(object, counting)
            }

            /// What a reader does that has seen an address a moment ago, where there is none any more.
            func readTooLate(at moment: UInt64) -> String? {
                let found = text.counter.wrappingAdd(1 << 44, ordering: .acquiring).oldValue
                return text.rareCopy(0, found, stamp, at: moment)
            }
        }

        /// How many references there are to the object of a text, the caller's one among them.
        private func references(to text: String) throws -> Int {
            let symbol = try #require("swift_retainCount".withCString { dlsym(nil, $0) })
            typealias Count = @convention(c) (UnsafeMutableRawPointer?) -> Int
            return withExtendedLifetime(text) {
                // The cast is sound because this is the prototype in the runtime's HeapObject.h.
                unsafeBitCast(symbol, to: Count.self)(
                    UnsafeMutableRawPointer(bitPattern: UInt(TextWords(text).object)))
            }
        }

        @Test func `the words of a text mean what is said of them`() throws {
            #expect(TextWords.areAsSaid)
            #expect(ReferenceCounting.ofTexts != nil)
            for short in ["", "a", "fifteen bytes..", "ä€𝄞"] {
                let words = TextWords(String(decoding: Array(short.utf8), as: UTF8.self))
                #expect(words.isUncounted)
                #expect(words.object == 0)
                #expect(CountedText.text(words.first, words.second) == short)
            }
            #expect(TextWords("a text of more than fifteen bytes that stands in the program").isUncounted)
            for text in long + ["ein längerer Text, in dem nicht alles ASCII ist: €"] {
                let made = String(decoding: Array(text.utf8), as: UTF8.self)
                let before = try references(to: made)
                let copies = Array(repeating: made, count: 3)
                #expect(try references(to: made) == before + 3)
                #expect(copies == [text, text, text])
                #expect(!TextWords(made).isUncounted)
                // A text that is made of another one's bytes has an object of its own.
                let own = String(decoding: made.utf8, as: UTF8.self)
                #expect(TextWords(own).object != TextWords(made).object)
                #expect(try references(to: own) <= 2)
            }
        }

        @Test(arguments: [0, 1, 32_767, 32_768, 32_769, 70_000, 140_000])
        func `as many references are given back as were counted ahead`(_ copies: Int) throws {
            let place = Place()
            try place.put(long[0], at: 1)
            let held = try #require(place.copy(at: 1))
            let alone = try references(to: held)
            do {
                var all: [String] = []
                for _ in 0..<copies { all.append(try #require(place.copy(at: 1))) }
                #expect(all.allSatisfy { $0 == long[0] })
                #expect(place.current() == long[0])
                try place.put(long[1], at: 2)
                // What `held` and the copies own, and a call's own one or none.
                #expect(try references(to: held) - copies <= 2)
            }
            #expect(try references(to: held) < alone)
            #expect(try references(to: held) <= 2)
            #expect(held == long[0])
            #expect(place.copy(at: 2) == long[1])
        }

        @Test func `a reader that comes too late gives its reference back`() throws {
            let place = Place()
            try place.put(long[0], at: 1)
            try place.put(long[1], at: 2)
            let held = try #require(place.copy(at: 2))
            for _ in 0..<1_000 { #expect(place.copy(at: 1) == nil) }
            try place.put("short", at: 3)
            #expect(try references(to: held) <= 2)
            #expect(place.copy(at: 2) == nil)
            #expect(place.copy(at: 3) == "short")
            try place.put(long[2], at: 4)
            #expect(place.copy(at: 3) == nil)
            #expect(place.copy(at: 4) == long[2])
        }

        @Test func `one that finds no address any more leaves nothing behind`() throws {
            let place = Place()
            try place.put("short", at: 1)
            #expect(place.readTooLate(at: 1) == nil)
            #expect(place.copy(at: 1) == "short")
            try place.put(long[0], at: 2)
            #expect(place.copy(at: 2) == long[0])
        }

        @Test func `readers on several threads are given whole texts`() throws {
            let place = Place()
            let texts = long + ["short", "fifteen bytes..", ""]
            let rounds = UInt64(Soak.times(3_000))
            let faults = Recorder<String>()
            let kept = Recorder<String>()
            let isOver = Atomic<Bool>(false)
            try place.put(texts[0], at: 1)
            withThreads(5) { thread in
                guard thread > 0 else {
                    defer { isOver.store(true, ordering: .releasing) }
                    for moment in 2...rounds {
                        do { try place.put(texts[Int(moment) % texts.count], at: moment) } catch {
                            Issue.record(error)
                        }
                    }
                    return
                }
                while true {
                    let moment = place.stamp.load(ordering: .acquiring)
                    if moment == rounds || isOver.load(ordering: .acquiring) { return }
                    guard moment > 1, let text = place.copy(at: moment) else { continue }
                    if text != texts[Int(moment) % texts.count] { faults.append("\(moment): \(text)") }
                    if moment % 512 == 0 { kept.append(text) }
                }
            }
            #expect(faults.all == [])
            #expect(kept.all.allSatisfy { texts.contains($0) })
        }

        @Test func `who finds that somebody else has counted ahead gives back what it has counted`() throws {
            let (place, counting) = (Place(), try #require(ReferenceCounting.ofTexts))
            try place.put(long[0], at: 1)
            let held = try #require(place.copy(at: 1))
            for _ in 1..<32_768 { _ = try #require(place.copy(at: 1)) }
            // As two readers do that have taken the next two references at one time.
            for _ in 0..<2 { place.countAhead(TextWords(held).object, counting) }
            try place.put("short", at: 2)
            let left = try references(to: held)
            #expect(left <= 2)
            #expect(held == long[0])
        }

        @Test func `those who read one text at a time count ahead together`() throws {
            let place = Place()
            try place.put(long[0], at: 1)
            let held = try #require(place.copy(at: 1))
            let reads = Soak.times(200_000)
            let faults = Recorder<String>()
            withThreads(4) { _ in
                for _ in 0..<reads where place.copy(at: 1) != long[0] { faults.append("another text") }
            }
            #expect(faults.all == [])
            try place.put("short", at: 2)
            let left = try references(to: held)
            #expect(left <= 2)
            #expect(held == long[0])
        }
    }
#endif
