import TypedDefaults
struct Window: Codable, Sendable, Equatable { var width = 800, height = 600; var title: String? = "x" }
extension Defaults.Keys {
    static let quality = Key<Double>("quality", default: 0.8)
    static let window = Key<Window>("window", default: Window())
    static let name = OptionalKey<String>("name")
    static let list = Key<[Int]>("list", default: [])
}
print(DefaultsSuite.standard.path as Any)
Defaults[.quality] += 0.1
print(Defaults[.quality])
let o = Defaults.observe(.quality) { print($0.oldValue, "->", $0.newValue, $0.cause) }
Defaults[.quality] = 0.5
Defaults[.list].append(3)
Defaults[.window].width = 1024
Defaults[.name] = "Jö"
try DefaultsSuite.standard.withTransaction { tx in
    tx[.quality] = tx[.quality] + 1
    tx[.name] = nil
    print(Defaults[.quality])
}
print(Defaults[.window], Defaults[.list], Defaults[.name] as Any)
Defaults.reset(.quality, .list)
print(DefaultsSuite.standard.dictionaryRepresentation())
let t0 = ContinuousClock.now
for _ in 0..<1000000 { _ = Defaults[.quality] }
print("get", (ContinuousClock.now - t0) / 1000000)
let t1 = ContinuousClock.now
for i in 0..<200 { Defaults[.quality] = Double(i) }
print("set", (ContinuousClock.now - t1) / 200)
