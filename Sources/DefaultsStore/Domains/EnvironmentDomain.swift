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
    private var variables: [String: [(suffix: String, variable: Variable)]] = [:]

    /// Takes up the variables with a prefix, in place of any of the same name.
    func adding(_ environment: [String: String], prefix: String) -> EnvironmentDomain {
        var result = self
        for (name, text) in environment where name.utf8.starts(with: prefix.utf8) {
            let suffix = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            let fold = EnvironmentDomain.folded(suffix)
            guard !fold.isEmpty else { continue }
            var all = result.variables[fold] ?? []
            all.removeAll { $0.variable.name == name }
            all.append((suffix, Variable(name: name, text: BareText(text: text))))
            result.variables[fold] = all.sorted { KeyName($0.variable.name) < KeyName($1.variable.name) }
        }
        return result
    }

    /// The variable that answers for a key.
    subscript(key: KeyName) -> Variable? {
        guard !variables.isEmpty, let all = variables[EnvironmentDomain.folded(key.string)] else {
            return nil
        }
        let usual = EnvironmentDomain.usual(key.string)
        guard var chosen = (all.first { $0.suffix == usual } ?? all.first)?.variable else { return nil }
        chosen.others = all.map(\.variable.name).filter { $0 != chosen.name }
        return chosen
    }

    /// Capitals and digits alone; letters beyond ASCII stay as they are.
    static func folded(_ name: String) -> String {
        String(decoding: name.utf8.filter { !separators.contains($0) }.map(capital), as: UTF8.self)
    }

    /// `server.maxRetries` as `SERVER_MAX_RETRIES`.
    private static func usual(_ key: String) -> String {
        var result: [UInt8] = []
        var before: UInt8 = 0
        for byte in key.utf8 {
            if isCapital(byte), !isCapital(before), before != 0, !separators.contains(before) {
                result.append(UInt8(ascii: "_"))
            }
            result.append(separators.contains(byte) ? UInt8(ascii: "_") : capital(byte))
            before = byte
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let separators: [UInt8] = [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")]

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func capital(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
    }
}
