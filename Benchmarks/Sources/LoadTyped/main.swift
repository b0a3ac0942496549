// Loads what `TypedDefaults` needs of Swift's own modules, and nothing of ours: the least that its start can take.
import Dispatch
import FoundationEssentials
import Observation
import Synchronization

@Observable final class Watched {
    var value = 1
}

let number = Atomic<Int>(1)
let queue = DispatchQueue(label: "loaded")
print(number.load(ordering: .relaxed), queue.label, Data([1]).count, Watched().value)
