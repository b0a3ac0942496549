/// The environment's variables with a prefix: `APP_SERVER_MAX_RETRIES` answers `server.maxRetries`.
///
/// Dots, dashes, underscores and case are folded on both sides, so a variable answers every key that folds to its
/// name. Of several variables for one key the one in capitals with a `_` for each dot and before each hump counts,
/// else the first in the order of their bytes.
struct EnvironmentDomain: Sendable {
    /// One variable, with those that say the same name another way and do not count.
    struct Variable: Hashable, Sendable {
        let name: String
        let text: BareText
        var others: [String] = []
    }

    /// By folded name, the first in the order of bytes at the front.
    private var variables: [FoldedName: [(suffix: String, variable: Variable)]] = [:]

    /// Takes up the variables with a prefix, in place of any of the same name.
    func adding(_ environment: [String: String], prefix: String) -> EnvironmentDomain {
        var result = self
        var fresh: [FoldedName: [(suffix: String, variable: Variable)]] = [:]
        for (name, text) in environment where name.utf8.starts(with: prefix.utf8) {
            let suffix = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            let fold = FoldedName(suffix)
            guard !fold.isEmpty else { continue }
            fresh[fold, default: []].append((suffix, Variable(name: name, text: BareText(text: text))))
        }
        for (fold, added) in fresh {
            // Once for all of a name, since a hostile environment may spell it in any number of ways.
            let names = Set(added.map { KeyName($0.variable.name) })
            let kept = (variables[fold] ?? []).filter { !names.contains(KeyName($0.variable.name)) }
            result.variables[fold] = (kept + added).sorted {
                KeyName($0.variable.name) < KeyName($1.variable.name)
            }
        }
        return result
    }

    /// Whether no variable was taken.
    var isEmpty: Bool { variables.isEmpty }

    /// The variable that answers for a key.
    subscript(key: KeyName) -> Variable? {
        guard let all = variables[FoldedName(key.string)] else { return nil }
        guard all.count > 1 else { return all.first?.variable }
        let usual = EnvironmentDomain.usual(key.string)
        guard var chosen = (all.first { $0.suffix == usual } ?? all.first)?.variable else { return nil }
        chosen.others = all.map(\.variable.name).filter { $0 != chosen.name }
        return chosen
    }

    /// `server.maxRetries` as `SERVER_MAX_RETRIES`.
    private static func usual(_ key: String) -> String {
        var result: [UInt8] = []
        var before: UInt8 = 0
        for byte in key.utf8 {
            if byte.isCapital, !before.isCapital, before != 0, !before.isSeparator {
                result.append(UInt8(ascii: "_"))
            }
            result.append(byte.isSeparator ? UInt8(ascii: "_") : byte.capital)
            before = byte
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A name that is equal to another when both are the same but for dots, dashes, underscores and ASCII case.
///
/// Nothing is copied to compare two, since every untyped read asks for one.
private struct FoldedName: Hashable {
    private let name: String

    init(_ name: String) { self.name = name }

    private var bytes: some Sequence<UInt8> { name.utf8.lazy.filter { !$0.isSeparator }.map(\.capital) }

    /// Whether nothing but separators is in it.
    var isEmpty: Bool { name.utf8.allSatisfy(\.isSeparator) }

    static func == (left: FoldedName, right: FoldedName) -> Bool { left.bytes.elementsEqual(right.bytes) }

    func hash(into hasher: inout Hasher) {
        // FNV-1a, and the seeded hasher once: byte by byte the latter alone would cost more than all the rest.
        hasher.combine(
            bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }
}

extension UInt8 {
    fileprivate var isSeparator: Bool {
        self == UInt8(ascii: ".") || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }

    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

    fileprivate var capital: UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self - 32 : self
    }
}
