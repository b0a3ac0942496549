import Measuring
import Synchronization

/// What reads would cost if nothing could ever change: to tell how much of a figure is the language's.
enum BareReads {
    /// An object that a number stands in, declared as keys are.
    private final class Holder: Sendable {
        let bits = Atomic<UInt64>(0.5.bitPattern)
    }

    /// An object of a generic class with a default, evaluated at each use, as a key has one.
    private final class Preset<Value: Sendable>: Sendable {
        let makeDefault: @Sendable () -> Value

        init(default: @autoclosure @escaping @Sendable () -> Value) { makeDefault = `default` }
    }

    private static let holder = Holder()
    private static let preset = Preset<Double>(default: 0.5)

    @inline(never)
    static func double() -> Double { Double(bitPattern: holder.bits.load(ordering: .acquiring)) }

    @inline(never)
    static func defaultDouble() -> Double { preset.makeDefault() }

    @inline(never)
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Makes each text from its bytes and lets go of the one before it, so many times, rounded up to whole batches.
    static func texts(_ texts: [String], _ count: Int, in section: (() -> Void) -> Void) {
        let all = texts.map { Array($0.utf8) }
        var made = texts
        for _ in 0..<(count + all.count - 1) / all.count {
            section { for place in all.indices { made[place] = text(all[place]) } }
        }
        blackHole(made)
    }
}
