import DefaultsStore
import Synchronization

/// The two words of a `String` in memory, where what they mean is known.
///
/// A text of up to 15 bytes, or one that stands in the program, refers to nothing that is counted: its words may be
/// copied as they are. Any other's second word is the address of the object that has its bytes and is counted.
/// `StringObject.swift` of the standard library says so for 64-bit platforms; a process makes sure of it once.
struct TextWords {
    let first: UInt64
    let second: UInt64

    /// The words of a text, which has to outlive their use.
    init(_ text: String) {
        // Unsafe is sound because numbers of the same size are made of it, and nothing is kept.
        (first, second) = withUnsafeBytes(of: text) {
            ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// Whether nothing is counted of what the words stand for.
    var isUncounted: Bool { second >> 63 == 1 }

    /// The address of the object that is counted; 0 where there is none, or it is not one that fits into 48 bits.
    var object: UInt64 { second >> 48 == 0 && second & 15 == 0 ? second : 0 }
}

extension TextWords {
    /// Whether the words mean what is said of them.
    static var areAsSaid: Bool {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            guard MemoryLayout<String>.size == 16 else { return false }
            let short = Array("fifteen bytes..".utf8)
            let long = Array("more than fifteen bytes".utf8)
            let shorts = (String(decoding: short, as: UTF8.self), String(decoding: short, as: UTF8.self))
            let longs = (String(decoding: long, as: UTF8.self), String(decoding: long, as: UTF8.self))
            return withExtendedLifetime((shorts, longs)) {
                // Texts made apart of each other have no object in common: words that are the same have none in them.
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
    /// Nil where the words of a text do not mean what ``TextWords`` says, or there is nothing to count with.
    static let ofTexts: ReferenceCounting? = TextWords.areAsSaid ? ReferenceCounting() : nil

    private static let isMade = Atomic<Bool>(false)

    /// The same for whoever may be the first to ask: no fork comes in between, which would leave it half made in a child.
    @inline(__always)
    static func ofTextsFromNowOn() -> ReferenceCounting? {
        if !isMade.load(ordering: .acquiring) { make() }
        return Safeguard.countsTexts.isOn ? ofTexts : nil
    }

    @inline(never)
    private static func make() {
        ReferenceCounting.find()
        Fork.holdingOff { _ = ofTexts }
        isMade.store(true, ordering: .releasing)
    }
}
