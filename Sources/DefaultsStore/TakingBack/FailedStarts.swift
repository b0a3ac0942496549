/// The starts in a row that began with other values than the last healthy one, and were never marked healthy.
struct FailedStarts {
    private(set) var count = 0
    /// The values that the last of them began with and the healthy one did not: of each a checksum, so that none is kept
    /// twice, and nil if it was removed.
    private var tried: [KeyName: UInt32?] = [:]

    init() {}

    /// - Parameter values: what the last of them began with, and the healthy one did not.
    init(count: Int, trying values: [KeyName: StoredValue?]) {
        (self.count, tried) = (count, values.mapValues { $0.map(FailedStarts.checksum) })
    }

    /// Nil for a file that was not written as one.
    init?(_ document: SettingsDocument) {
        guard let count = document.value(forKey: FailedStarts.failed)?.value.int, count > 0,
            let tried = document.value(forKey: FailedStarts.changed)?.value.object
        else { return nil }
        self.count = count
        for (name, value) in tried {
            let checksum = value.int.map { UInt32(truncatingIfNeeded: $0) }
            // Not by the subscript, for which nil is no value but a removal.
            self.tried.updateValue(checksum, forKey: KeyName(name))
        }
    }

    private static let failed = KeyName("failed")
    private static let changed = KeyName("changed")

    private static func checksum(_ text: StoredValue) -> UInt32 { Checksum.crc32c(text.onOneLine.bytes) }

    /// Returns the same with one more, which began with these values.
    func adding(_ values: [KeyName: StoredValue?]) -> FailedStarts {
        FailedStarts(count: count + 1, trying: values)
    }

    func hasTried(_ stored: StoredValue?, of key: KeyName) -> Bool {
        tried[key].map { $0 == stored.map(FailedStarts.checksum) } ?? false
    }

    var value: DefaultsValue {
        let changed = tried.sorted(byName: \.key).map {
            key, checksum -> (name: KeyName, value: DefaultsValue) in
            (key, checksum.map { .number(DefaultsNumber(Int($0))) } ?? .null)
        }
        return .object(
            DefaultsObject([
                (name: FailedStarts.failed, value: .number(DefaultsNumber(count))),
                (name: FailedStarts.changed, value: .object(DefaultsObject(changed))),
            ]))
    }
}
