/// What can become of a gate, in all orders of what a few threads can do.
@testable import DefaultsStore
import Testing

@Suite struct GateStateTests {
    /// Where a thread is.
    private enum Place: Hashable {
        case outside, inside, waiting
        /// Whether the work of the one who hopes has been done.
        case hoping(isDone: Bool)
    }

    /// A gate and some threads.
    private struct Scene: Hashable {
        var gate = GateState.free
        var threads: [Place]

        /// What the thread can do next, each a single step.
        func next(_ number: Int) -> [Scene] {
            switch threads[number] {
            case .outside:
                return [
                    step(number) { $0.take() ? .inside : .outside },
                    step(number) { $0.takeOrWait() ? .inside : .waiting },
                    step(number) { $0.takeOrHope() ? .inside : .hoping(isDone: false) },
                ]
            case .inside: return openings(number)
            case .waiting:
                return [step(number) { $0.takeHanded() ? .inside : $0.stopWaiting() ? .outside : .waiting }]
            case .hoping(isDone: true): return [leaving(number)]
            // At the deadline it leaves in a step of its own, before which the gate may have been handed to it.
            case .hoping(isDone: false):
                return [step(number) { $0.takeHoped() ? .inside : .hoping(isDone: false) }, leaving(number)]
            }
        }

        /// The visitor opens the gate, after it has done the work of all, of none, or of the first who hopes.
        private func openings(_ number: Int) -> [Scene] {
            let hoping = threads.indices.filter { threads[$0] == .hoping(isDone: false) }
            return [hoping, [], Array(hoping.prefix(1))].flatMap { done in
                [true, false].map { prefersHope in
                    var scene = self
                    for place in done { scene.threads[place] = .hoping(isDone: true) }
                    scene.threads[number] = .outside
                    scene.gate.open(prefersHope: prefersHope)
                    return scene
                }
            }
        }

        private func leaving(_ number: Int) -> Scene {
            step(number) { gate in
                gate.stopHoping()
                return .outside
            }
        }

        private func step(_ number: Int, _ body: (inout GateState) -> Place) -> Scene {
            var scene = self
            scene.threads[number] = body(&scene.gate)
            return scene
        }

        /// What is wrong; nil if nothing is.
        var fault: String? {
            let inside = threads.count { $0 == .inside }
            let waiting = threads.count { $0 == .waiting }
            let hoping = threads.count { $0 == .hoping(isDone: true) || $0 == .hoping(isDone: false) }
            let isHanded = gate.handed > 0 || gate.isHandedToHope
            if inside > 1 { return "two are inside" }
            if gate.waiting != waiting || gate.hoping != hoping { return "the numbers are wrong" }
            if gate.isTaken != (inside == 1 || isHanded) {
                return "it is taken by nobody, or free with one inside"
            }
            if inside == 1, isHanded { return "it is handed to somebody while one is inside" }
            if gate.handed > 1 || gate.handed > 0 && gate.isHandedToHope { return "it is handed to two" }
            if gate.handed > waiting || gate.isHandedToHope && hoping == 0 {
                return "nobody is there to take it"
            }
            if !gate.isTaken, waiting + hoping > 0 { return "somebody waits for a free gate" }
            if GateState(bits: gate.bits) != gate { return "the number is of another state" }
            return nil
        }
    }

    @Test
    func
        `one is inside at a time, and nobody waits for a free gate, in whatever order four threads come and go`()
    {
        let first = Scene(threads: Array(repeating: .outside, count: 4))
        var seen: Set<Scene> = [first]
        var open = [first]
        while let scene = open.popLast() {
            for next in scene.threads.indices.flatMap(scene.next) where seen.insert(next).inserted {
                #expect(next.fault == nil, "after \(scene), \(next)")
                open.append(next)
            }
        }
        #expect(seen.count > 400, "these are \(seen.count)")
        #expect(seen.contains { $0.gate.hoping == 3 } && seen.contains { $0.gate.waiting == 3 })
    }

    @Test func `a bell that is rung twice lets two pass, one of whom waits already`() {
        var gate = GateState.taken
        let isThrough = gate.takeOrWait()
        gate.open(prefersHope: true)
        gate.open(prefersHope: true)
        let passed = [gate.takeHanded(), gate.take()]
        #expect(!isThrough)
        #expect(passed == [true, true])
        #expect(gate == .taken)
    }

    @Test func `as many as a kernel has threads can wait and hope`() {
        var gate = GateState.taken
        var passed = 0
        for _ in 0..<70_000 {
            if gate.takeOrWait() { passed += 1 }
            if gate.takeOrHope() { passed += 1 }
        }
        #expect(passed == 0)
        gate.open(prefersHope: false)
        let read = GateState(bits: gate.bits)
        #expect(read == gate)
        #expect(read.waiting == 70_000 && read.hoping == 70_000 && read.handed == 1)
    }
}
