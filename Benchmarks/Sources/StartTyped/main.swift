// The same program as `hello`, but that it reads one setting through a typed key first.
import TypedDefaults

let suite = try DefaultsSuite("opened")
let wanted = Defaults.Key<Double>("wanted", default: 0, suite: suite)
guard Defaults[wanted] == 0.25 else { preconditionFailure("another value") }
print("Hello, world!")
