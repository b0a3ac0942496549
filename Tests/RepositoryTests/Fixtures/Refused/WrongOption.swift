// Options of a key in another order, and a default of another type.
import TypedDefaults

typealias Key = Defaults.Key<Int>

let rule = DefaultsValidation<Int>.range(0...1)
let early = Key("a", default: 1, secret: true, validation: rule)  // refused: 'validation' must precede
let late = Key("b", default: 1, description: "", suite: .standard)  // refused: 'suite' must precede
let text = Key("c", default: "a")  // refused: cannot convert value of type 'String'
let word = Defaults.OptionalKey<Int>("d", default: "a")  // refused: cannot convert value of type 'String'
