/// What the arguments of a call say, in the notation of `strace -y -xx`.
extension TracedCall {
    /// The bytes of every text in an argument, one after the other: a buffer, or all of a vector's.
    ///
    /// - Throws: where strace cut a text short, or did not write it in hexadecimal digits.
    func bytes(_ place: Int) throws -> [UInt8] {
        let argument = try argument(place)
        guard !argument.contains("\"...") else { throw Unreadable(line: "\(name): a text is cut short") }
        let parts = argument.split(separator: "\"", omittingEmptySubsequences: false)
        return try parts.indices.filter { $0 % 2 == 1 }.flatMap { try TracedCall.decoded(parts[$0]) }
    }

    /// A text in an argument.
    func text(_ place: Int) throws -> String { String(decoding: try bytes(place), as: UTF8.self) }

    /// A whole number.
    func number(_ place: Int) throws -> Int {
        guard let number = Int(try argument(place)) else {
            throw Unreadable(line: "\(name): \(arguments) has no number at \(place)")
        }
        return number
    }

    /// Whether an argument of flags has this one.
    func has(_ flag: String, at place: Int) -> Bool {
        arguments.indices.contains(place) && arguments[place].split(separator: "|").contains { $0 == flag }
    }

    /// The number of a descriptor.
    func descriptor(_ place: Int) throws -> Int? { Int(try argument(place).prefix { $0.isNumber }) }

    /// The path of what a descriptor stands for; nil where it is no file.
    func path(ofDescriptor place: Int) throws -> String? {
        let parts = try argument(place).split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix(TracedCall.encoded("/")),
            let end = parts[1].firstIndex(of: ">")
        else { return nil }
        return String(decoding: try TracedCall.decoded(parts[1][..<end]), as: UTF8.self)
    }

    /// The path that a name means, seen from the folder in the argument before it.
    func path(_ place: Int, in folder: Int?) throws -> String {
        let name = try text(place)
        guard !name.hasPrefix("/"), let folder else { return name }
        guard let base = try path(ofDescriptor: folder) else {
            throw Unreadable(line: "\(self.name): \(arguments) is in an unknown folder")
        }
        return base + "/" + name
    }

    private func argument(_ place: Int) throws -> String {
        guard arguments.indices.contains(place) else {
            throw Unreadable(line: "\(name): \(arguments) has no argument \(place)")
        }
        return arguments[place]
    }

    /// A text as strace writes it.
    static func encoded(_ text: String) -> String {
        text.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func decoded(_ text: Substring) throws -> [UInt8] {
        try text.split(separator: "\\").map { part in
            guard part.hasPrefix("x"), part.count == 3, let byte = UInt8(part.dropFirst(), radix: 16) else {
                throw Unreadable(line: "not in hexadecimal digits: \(text.prefix(80))")
            }
            return byte
        }
    }
}
