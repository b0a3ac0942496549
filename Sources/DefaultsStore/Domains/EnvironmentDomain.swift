/// The environment's variables with a prefix: `APP_SERVER_MAX_RETRIES` answers `server.maxRetries`.
///
/// Dots, dashes, underscores and case are folded on both sides, so a variable answers every key that folds to its
/// name. Of several variables for one key, the one in capitals with a `_` for each dot and before each hump applies,
/// otherwise the first in the order of their bytes.
struct EnvironmentDomain: Sendable {
    /// One variable, with those that spell the same name differently and do not count.
    struct Variable: Hashable, Sendable {
        let name: String
        let text: BareText
        var others: [String] = []
    }

    /// By folded name, in the order of their bytes.
    private var variables: [FoldedName: [(suffix: String, variable: Variable)]] = [:]

    /// Replaces variables of the same name.
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
            // Once for all spellings of a name, because a hostile environment may have any number of them.
            let names = Set(added.map { KeyName($0.variable.name) })
            let kept = (variables[fold] ?? []).filter { !names.contains(KeyName($0.variable.name)) }
            result.variables[fold] = (kept + added).sorted(byName: { KeyName($0.variable.name) })
        }
        return result
    }

    var isEmpty: Bool { variables.isEmpty }

    /// Returns the variable that answers for a key.
    subscript(key: KeyName) -> Variable? {
        guard let all = variables[FoldedName(key.string)] else { return nil }
        guard all.count > 1 else { return all.first?.variable }
        let usual = EnvironmentDomain.usual(key.string)
        guard var chosen = (all.first { $0.suffix == usual } ?? all.first)?.variable else { return nil }
        chosen.others = all.map(\.variable.name).filter { $0 != chosen.name }
        return chosen
    }

    /// Whether a variable's name begins with that of a key, and goes on.
    func hasLonger(than key: KeyName) -> Bool {
        let fold = FoldedName(key.string)
        return variables.keys.contains { $0.begins(with: fold) }
    }

    /// Returns the variables with a prefix that stand for none of some keys, by name, each with the nearest that would.
    func unknown(besides keys: [KeyName]) -> [(name: String, nearest: String?)] {
        let known = Set(keys.map { FoldedName($0.string) })
        let usual = Set(keys.map { KeyName(EnvironmentDomain.usual($0.string)) })
        return variables.filter { !known.contains($0.key) }.flatMap(\.value)
            // Without a prefix it is not the program's.
            .filter { $0.suffix != $0.variable.name }
            .sorted(byName: { KeyName($0.variable.name) })
            .map { suffix, variable in
                let nearest = NearestName.of(suffix, among: usual)
                return (variable.name, nearest.map { String(variable.name.dropLast(suffix.count)) + $0 })
            }
    }

    /// Returns the usual spelling: `server.maxRetries` as `SERVER_MAX_RETRIES`.
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

/// A name that equals another if both are the same except for dots, dashes, underscores and ASCII case.
///
/// Nothing is copied to compare two, because every untyped read asks for one.
private struct FoldedName: Hashable {
    private let name: String

    init(_ name: String) { self.name = name }

    private var bytes: some Sequence<UInt8> { name.utf8.lazy.filter { !$0.isSeparator }.map(\.capital) }

    var isEmpty: Bool { name.utf8.allSatisfy(\.isSeparator) }

    /// Whether another name, which is not empty, is the beginning of this longer one.
    func begins(with other: FoldedName) -> Bool {
        !other.isEmpty && self != other && bytes.starts(with: other.bytes)
    }

    @inline(never)
    static func == (left: FoldedName, right: FoldedName) -> Bool { left.bytes.elementsEqual(right.bytes) }

    func hash(into hasher: inout Hasher) {
        // FNV-1a, and the seeded hasher once: the latter byte by byte would cost more than everything else.
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
