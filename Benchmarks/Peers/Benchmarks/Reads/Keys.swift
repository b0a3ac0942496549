import Beside
import TypedDefaults

extension Defaults.Keys {
    static let volume = Key<Double>("volume", default: 0)
    static let isOn = Key<Bool>("isOn", default: false)
    static let launches = Key<Int>("launches", default: 0)
    static let theme = Key<String>("theme", default: "")
    static let profile = Key<Profile>("profile", default: Profile())
    static let unset = Key<Double>("unset", default: 0.5)
}

/// The reads as a program makes them, not inlined, so that no loop does part of the work once for all.
enum OurReads {
    @inline(never) static func double() -> Double { Defaults[.volume] }
    @inline(never) static func bool() -> Bool { Defaults[.isOn] }
    @inline(never) static func int() -> Int { Defaults[.launches] }
    @inline(never) static func string() -> String { Defaults[.theme] }
    @inline(never) static func profile() -> Profile { Defaults[.profile] }
    @inline(never) static func unset() -> Double { Defaults[.unset] }
}
