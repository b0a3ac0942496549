import Measuring
import TypedDefaults

/// The settings that are read and set, declared as a program declares its own.
///
/// They are here and not in a library of their own, because a key's once-check is part of what a read costs.
extension Defaults.Keys {
    static let volume = Key<Double>("volume", default: 0)
    static let isOn = Key<Bool>("isOn", default: false)
    static let launches = Key<Int>("launches", default: 0)
    static let theme = Key<String>("theme", default: "")
    static let language = Key<String>("language", default: "")
    static let profile = Key<Profile>("profile", default: Profile())

    static let unsetVolume = Key<Double>("unsetVolume", default: 0.5)
    static let unsetTheme = Key<String>("unsetTheme", default: "nothing is stored for it")
}

/// The reads as a program makes them; none may be inlined, or the loop around it would do part of the work once for all.
enum OurReads {
    @inline(never) static func double() -> Double { Defaults[.volume] }
    @inline(never) static func bool() -> Bool { Defaults[.isOn] }
    @inline(never) static func int() -> Int { Defaults[.launches] }
    @inline(never) static func string() -> String { Defaults[.theme] }
    @inline(never) static func shortString() -> String { Defaults[.language] }
    @inline(never) static func profile() -> Profile { Defaults[.profile] }
    @inline(never) static func unsetDouble() -> Double { Defaults[.unsetVolume] }
    @inline(never) static func unsetString() -> String { Defaults[.unsetTheme] }
}

/// The sets likewise.
enum OurSets {
    @inline(never) static func double(_ value: Double) { Defaults[.volume] = value }
    @inline(never) static func bool(_ value: Bool) { Defaults[.isOn] = value }
    @inline(never) static func string(_ value: String) { Defaults[.theme] = value }
}

/// Sets so many keys, each once, as a program does that saves all it has.
func setDifferentKeys(_ count: Int, in section: (() -> Void) -> Void) {
    let keys = (0..<count).map { Defaults.Key<Int>("different\($0)", default: 0) }
    section { for (number, key) in keys.enumerated() { Defaults[key] = number } }
}

/// Sets a key that has an observer, as 1,000 others have one each.
func setObservedKey(_ count: Int, in section: (() -> Void) -> Void) {
    let others = (0..<1_000).map {
        Defaults.observe(Defaults.Key<Int>("observed\($0)", default: 0), options: []) {
            blackHole($0.newValue)
        }
    }
    let own = Defaults.observe(.volume, options: []) { blackHole($0.newValue) }
    section { for number in 0..<count { OurSets.double(Double(number) + 0.5) } }
    withExtendedLifetime(others) {}
    withExtendedLifetime(own) {}
}
