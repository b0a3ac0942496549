/// Runs a body; `callgrind` is told by this function's name to count what happens inside of it, on this thread.
@inline(never)
public func countedSection(_ body: () -> Void) { body() }
