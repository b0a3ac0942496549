/// Takes a value as if it were used, so that what made it is not optimized away.
@inline(never)
@_optimize(none)
public func blackHole<Value>(_ value: Value) {}
