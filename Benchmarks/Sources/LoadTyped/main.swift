// Loads what `TypedDefaults` needs of Swift's own modules, and nothing of ours: the least that its start can take.
import Dispatch
import Observation
import Synchronization

@Observable final class Watched {
    var value = 1
}

let number = Atomic<Int>(1)
let queue = DispatchQueue(label: "loaded")
guard number.load(ordering: .relaxed) == Watched().value, queue.label == "loaded" else {
    preconditionFailure("another value")
}
print("Hello, world!")
