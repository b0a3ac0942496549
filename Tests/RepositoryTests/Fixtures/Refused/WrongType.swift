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

func use(in suite: DefaultsSuite) throws {
    try suite.withTransaction { tx in
        tx[.quality] = "high"  // refused: the key's values are of another type
    }
    try suite.withTransaction { tx in
        let text: String = tx[.quality]  // refused: the key's values are of another type
        print(text)
    }
    let word: String = suite.snapshot()[.quality]  // refused: the key's values are of another type
    print(word)
}
