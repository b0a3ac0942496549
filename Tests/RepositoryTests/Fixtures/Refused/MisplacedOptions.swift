// Arguments of observe in another order.
import TypedDefaults

extension Defaults.Keys {
    static let a = Key<Double>("a", default: 0.8)
    static let b = Key<Int>("b", default: 8)
}

@MainActor var shown = 0.0

func observe() {
    _ = Defaults.observe(.a, on: .mainActor, options: []) { _ in shown = 1 }  // refused: comes before on:
    _ = Defaults.observe(.a, on: .immediate, options: []) { print($0) }  // refused: options: comes before on:
    _ = Defaults.observe([.a, .b], on: .mainActor, options: []) { shown = 0 }  // refused: comes before on:
    _ = Defaults.observe([.a, .b], on: .immediate, options: []) {}  // refused: options: comes before on:
    _ = Defaults.observe(.a, .b, on: .mainActor, options: []) { shown = 0 }  // refused: must precede
    _ = Defaults.observe(.a, handler: { print($0) }, options: [])  // refused: 'options' must precede
    _ = Defaults.observe(options: [], .a) { print($0) }  // refused: must precede argument 'options'
}

func observe(in suite: DefaultsSuite) {
    _ = suite.observe(.a, on: .mainActor, options: []) { _ in shown = 1 }  // refused: comes before on:
    _ = suite.observe(.a, on: .immediate, options: []) { print($0) }  // refused: options: comes before on:
    _ = suite.observe([.a, .b], on: .mainActor, options: []) { shown = 0 }  // refused: comes before on:
    _ = suite.observe([.a, .b], on: .immediate, options: []) {}  // refused: options: comes before on:
    _ = suite.observe(.a, .b, on: .immediate, options: []) {}  // refused: 'options' must precede
    _ = suite.observe(forKey: "a", on: .immediate, options: []) { print($0) }  // refused: must precede
    _ = suite.observeAll(on: .immediate, options: []) {}  // refused: 'options' must precede
    _ = suite.observeAll(on: .immediate, options: []) { print($0) }  // refused: must precede
}
