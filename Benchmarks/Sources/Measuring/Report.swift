/// What a fresh process measured of itself, as one line on its standard output.
public struct Report: Sendable {
    /// From before the open to after the get.
    public let nanoseconds: Int
    /// The memory that was resident then.
    public let kibibytes: Int
    /// What was read, so that the driver can tell that it was.
    public let value: Double

    /// Measures a body that opens and reads a value.
    public init(measuring body: () throws -> Double) rethrows {
        let begin = Clock.now()
        value = try openedSection(body)
        nanoseconds = Clock.now() - begin
        kibibytes = residentMemory()
    }

    /// Reads the line another process has printed.
    public init?(line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let nanoseconds = Int(words[0]), let kibibytes = Int(words[1]),
            let value = Double(words[2])
        else { return nil }
        (self.nanoseconds, self.kibibytes, self.value) = (nanoseconds, kibibytes, value)
    }

    /// The line.
    public var line: String { "\(nanoseconds) \(kibibytes) \(value)" }
}

/// Runs a body; `callgrind` is told by this function's name to count what happens inside of it.
@inline(never)
private func openedSection(_ body: () throws -> Double) rethrows -> Double { try body() }
