import TypedDefaults

/// What one key of etcd means to a suite.
enum EtcdEntry: Hashable, Sendable {
    /// The default value of a setting.
    case value(String, DefaultsValue)
    /// A value that is locked where the machine takes such.
    case locked(String, DefaultsValue)
    /// Nothing: why, with the key and without the value.
    case refused(DefaultsError, isLocked: Bool)

    /// Longer ones have no room for what the last known layer puts before a name.
    private static let longestName = 65_536 - 2
    /// With every byte of it escaped a value of this length still fits into a settings file.
    private static let largestValue = 2 << 20

    /// Reads a key with its value: a name below the prefix, as it stands; JSON, else a bare word.
    init(key: [UInt8], value: [UInt8], in prefix: EtcdPrefix) {
        guard key.starts(with: prefix.start) else {
            self = .refused(EtcdEntry.refusal(key, "it is not below the prefix"), isLocked: false)
            return
        }
        var name = prefix.name(of: key)
        let isLocked = name.starts(with: EtcdPrefix.lockedFolder)
        if isLocked { name = name.dropFirst(EtcdPrefix.lockedFolder.count) }
        guard let name = String(validating: name, as: UTF8.self) else {
            self = .refused(EtcdEntry.refusal(key, "its name is not UTF-8"), isLocked: isLocked)
            return
        }
        guard !name.isEmpty, name.utf8.count <= EtcdEntry.longestName else {
            let reason = name.isEmpty ? "nothing stands behind the prefix" : "its name is too long"
            self = .refused(EtcdEntry.refusal(key, reason), isLocked: isLocked)
            return
        }
        guard value.count <= EtcdEntry.largestValue else {
            self = .refused(
                EtcdEntry.refusal(key, "its value has \(value.count) bytes"), isLocked: isLocked)
            return
        }
        guard let text = String(validating: EtcdEntry.withoutFrame(value), as: UTF8.self) else {
            self = .refused(EtcdEntry.refusal(key, "its value is not UTF-8"), isLocked: isLocked)
            return
        }
        let read = EtcdEntry.value(of: text)
        self = isLocked ? .locked(name, read) : .value(name, read)
    }

    /// The bytes without what editors and `etcdctl put KEY <FILE` put around a value: a byte-order mark and a line end.
    private static func withoutFrame(_ value: [UInt8]) -> ArraySlice<UInt8> {
        let text = value.dropFirst(value.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        guard text.last == UInt8(ascii: "\n") else { return text }
        let line = text.dropLast()
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// A text that is one JSON value, else the text itself, as the command line's and the environment's are read.
    private static func value(of text: String) -> DefaultsValue {
        do {
            let value = try DefaultsValue(json: text)
            return depth(of: value) <= 128 ? value : .string(text)
        } catch {
            // Not JSON is no failure: it is a bare word.
            return .string(text)
        }
    }

    private static func depth(of value: DefaultsValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    static func refusal(_ key: [UInt8], _ reason: String) -> DefaultsError {
        DefaultsError.sourceFailed(reason + "; the key is left out", key: shown(key))
    }

    /// The key as a person can read it: what is not printable ASCII is escaped where it is no UTF-8.
    private static func shown(_ key: [UInt8]) -> String {
        if let text = String(validating: key, as: UTF8.self) { return String(text.prefix(200)) }
        return key.prefix(200).map { byte in
            (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "%")
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
