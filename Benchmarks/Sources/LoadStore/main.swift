// Loads what `DefaultsStore` needs of Swift's own modules, and nothing of ours: the least that its start can take.
import Synchronization

let number = Atomic<Int>(1)
guard number.load(ordering: .relaxed) == 1 else { preconditionFailure("another value") }
print("Hello, world!")
