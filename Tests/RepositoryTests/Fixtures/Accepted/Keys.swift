// The shapes of keys, reading and writing.
import TypedDefaults

nonisolated struct Profile: Codable, Sendable { var name = "Ann" }
nonisolated enum Speed: String, Codable, Sendable { case slow, fast }
nonisolated struct Angle: Sendable { var degrees = 0 }

nonisolated extension Defaults.Keys {
    static let quality = Key<Double>("quality", default: 0.8, validation: .range(0...1))
    static let name = OptionalKey<String>("name")
    static let limit = OptionalKey<Int>("limit", validation: .range(1...9))
    static let ports = Key<Int>("ports", default: 80, validation: .range(1...))
    static let share = Key<Double>("share", default: 0.5, validation: .range(0..<1))
    static let tries = OptionalKey<Int>("tries", validation: .range(..<10))
    static let depth = OptionalKey<Double>("depth", validation: .range(...1.5))
    static let even = Key<Int>("even", default: 0, validation: .where { $0.isMultiple(of: 2) })
    static let profile = Key<Profile>("profile", default: Profile())
    static let speed = Key<Speed>(
        "speed", default: .slow, validation: .oneOf(.slow, .fast), description: "of play")
    static let token = OptionalKey<String>("token", secret: true)
    static let arguments = Key<[String]>("arguments") { CommandLine.arguments }
    static let angle = Key<Angle>(
        "angle", default: Angle(),
        codec: DefaultsCodec(encode: { Array("\($0.degrees)".utf8) }, decode: { _ in Angle() }))
}

let isUnicorn = Defaults.Key<Bool>("isUnicorn", default: true)

func use(suite: DefaultsSuite) throws {
    let quality: Double = Defaults[.quality]
    Defaults[.quality] = quality
    Defaults[.quality] += 0.1
    Defaults[.name] = "Ann"
    Defaults[.name]?.append("e")
    Defaults[.name] = nil
    Defaults[.profile].name = "Bob"
    Defaults[.angle].degrees += 1
    if let name = Defaults[.name] { print(name, Defaults[isUnicorn], suite[.quality]) }
    swap(&Defaults[.name], &Defaults[.token])
    suite[.speed] = .fast

    let length = Defaults.modify(.profile) { $0.name.count }
    Defaults.reset(.quality, .name)
    Defaults.reset([.quality, .name])
    Defaults.reset(.quality, suite: suite)
    Defaults.removeAll(suite: suite)
    Defaults.declare(.quality, .name, .arguments)
    let keys: [Defaults.AnyKey] = [.quality, .name]
    print(isUnicorn.name, isUnicorn.suite)  // though a key is named so
    print(Defaults.isSet(.quality), Defaults.isDefaultValue(.angle), length, keys.map(\.suite))

    _ = try suite.value(.quality)
    try suite.set(.limit, to: nil)
    try suite.modify(.quality) { $0 *= 0.5 }
    try suite.reset(.quality, .name)
    try suite.withTransaction { tx in
        tx[.quality] = tx[.quality] / 2
        tx[.limit]? += 1
        tx.reset(.name)
        tx[key: "name"] = "Ann"
    }
    print(suite.snapshot()[.quality])
    Defaults.withoutPropagation { Defaults[.quality] = 0.5 }
}
