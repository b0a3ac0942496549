// The same program as `hello`, but that it reads one setting through the engine first.
import DefaultsStore

let suite = try DefaultsSuite("opened")
guard suite.double(forKey: "wanted") == 0.25 else { preconditionFailure("another value") }
print("Hello, world!")
