// A value of another type than the key's.
import TypedDefaults

extension Defaults.Keys {
    static let quality = Key<Double>("quality", default: 0.8)
    static let count = Key<Int>("count", default: 1)
    static let title = OptionalKey<String>("title")
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

func mix(suite: DefaultsSuite, text: String) {
    Defaults[.quality] = Defaults[.title]  // refused: the key's values are of another type
    Defaults[.quality] = Defaults[.count]  // refused: the key's values are of another type
    Defaults[.count] = text  // refused: the key's values are of another type
    suite[.quality] = suite[.count]  // refused: the key's values are of another type
    let sum: Double = Defaults[.quality] + Defaults[.count]  // refused: the key's values are of another type
    print(sum)
}

func unwrap(suite: DefaultsSuite) throws {
    let title: String = Defaults[.title]  // refused: the key's value is optional
    print(title, Defaults[.title].count)  // refused: the key's value is optional
    let word: String = suite[.title]  // refused: the key's value is optional
    print(word, suite.snapshot()[.title].count)  // refused: the key's value is optional
    try suite.withTransaction { tx in
        tx[.quality] = tx[.count]  // refused: the key's values are of another type
    }
}

func setByName(suite: DefaultsSuite) throws {
    try suite.set(3, forKey: .count)  // refused: a typed key comes first
    try suite.withTransaction { tx in
        try tx.set("a", forKey: .count)  // refused: a typed key comes first
    }
}

struct Player {
    @Default(.count) var count = 5  // refused: the key has the default
}
