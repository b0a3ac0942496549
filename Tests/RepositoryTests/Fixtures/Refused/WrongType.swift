// A value of another type than the key's.
import TypedDefaults

extension Defaults.Keys {
    static let quality = Key<Double>("quality", default: 0.8)
}

func use(suite: DefaultsSuite) {
    Defaults[.quality] = "high"  // refused: the key's values are of another type
    let text: String = Defaults[.quality]  // refused: the key's values are of another type
    suite[.quality] = "high"  // refused: the key's values are of another type
    let word: String = suite[.quality]  // refused: the key's values are of another type
    print(text, word)
}
