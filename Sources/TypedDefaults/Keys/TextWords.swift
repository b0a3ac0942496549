import DefaultsStore
import Synchronization

/// The two words of a `String` in memory, on systems where their meaning is known.
///
/// A string of up to 15 bytes, or a literal, refers to nothing that is reference counted: its words may be copied as
/// they are. The second word of any other string is the address of the object that holds its bytes and is counted.
/// `StringObject.swift` of the standard library says so for 64-bit platforms; a process verifies it once.
struct TextWords {
    let first: UInt64
    let second: UInt64

    /// Reads the words of a string, which has to outlive their use.
    init(_ text: String) {
        // Unsafe is sound because numbers of the same size are made of it, and nothing is kept.
        (first, second) = withUnsafeBytes(of: text) {
            ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// Whether the words refer to nothing that is counted.
    var isUncounted: Bool { second >> 63 == 1 }

    /// The address of the counted object; 0 if there is none, or it does not fit into 48 bits.
    var object: UInt64 { second >> 48 == 0 && second & 15 == 0 ? second : 0 }
}

extension TextWords {
    /// Whether the words have the documented meaning.
    static var areAsSaid: Bool {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            guard MemoryLayout<String>.size == 16 else { return false }
            let short = Array("fifteen bytes..".utf8)
            let long = Array("more than fifteen bytes".utf8)
            let shorts = (String(decoding: short, as: UTF8.self), String(decoding: short, as: UTF8.self))
            let longs = (String(decoding: long, as: UTF8.self), String(decoding: long, as: UTF8.self))
            return withExtendedLifetime((shorts, longs)) {
                // Strings made independently have no object in common, so equal words contain no address.
                let (one, other) = (TextWords(shorts.0), TextWords(shorts.1))
                let (first, second) = (TextWords(longs.0), TextWords(longs.1))
                return one.isUncounted && (one.first, one.second) == (other.first, other.second)
                    && first.object != 0 && second.object != 0 && first.object != second.object
                    && first.first == second.first
            }
        #else
            return false
        #endif
    }
}

extension ReferenceCounting {
    /// Nil if the words of a string do not have the meaning documented at ``TextWords``.
    static let ofTexts: ReferenceCounting? = TextWords.areAsSaid ? ReferenceCounting() : nil

    private static let isMade = Atomic<Bool>(false)

    /// Returns the same for a caller that may be the first: no fork happens meanwhile, which would leave it half
    /// initialised in a child.
    @inline(__always)
    static func ofTextsFromNowOn() -> ReferenceCounting? {
        if !isMade.load(ordering: .acquiring) { make() }
        return Failpoint.countsTexts.isOn ? ofTexts : nil
    }

    @inline(never)
    private static func make() {
        Fork.holdingOff { _ = ofTexts }
        isMade.store(true, ordering: .releasing)
    }
}
