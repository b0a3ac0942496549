// Loads what `DefaultsStore` needs of Swift's own modules, and nothing of ours: the least that its start can take.
import Synchronization

let number = Atomic<Int>(1)
print(number.load(ordering: .relaxed))
