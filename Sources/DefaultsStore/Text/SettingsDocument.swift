/// The text of a settings file with the places of its members.
///
/// What it hands out are slices of the text: nothing is decoded before somebody asks.
package struct SettingsDocument: Sendable {
    /// One `"key": value` of the text.
    package struct Member: Sendable, Hashable {
        package let key: KeyName
        /// The index of the key's opening quote.
        package let start: Int
        /// Where the value stands.
        package let value: Range<Int>
        /// The index of the comma behind the value, if there is one.
        let comma: Int?
    }

    /// The whole file.
    package let bytes: [UInt8]
    /// In the order of the file, duplicates included.
    package let members: [Member]
    /// Why the text is not a settings file, if it is not; `members` are those that could be read.
    package let fault: JSONFault?

    /// What stands between the outer braces; meaningless after a fault.
    let body: Range<Int>
    /// The last member of each name.
    let positions: [KeyName: Int]
    /// The members whose name stood in the file before.
    let repeats: [Int]

    /// The document of a file that does not exist.
    package static let empty = SettingsDocument(bytes: [], members: [], body: 0..<0)

    init(
        bytes: [UInt8], members: [Member], body: Range<Int>, positions: [KeyName: Int], repeats: [Int],
        fault: JSONFault? = nil
    ) {
        self.bytes = bytes
        self.members = members
        self.body = body
        self.positions = positions
        self.repeats = repeats
        self.fault = fault
    }

    init(bytes: [UInt8], members: [Member], body: Range<Int>, fault: JSONFault? = nil) {
        var positions: [KeyName: Int] = [:]
        var repeats: [Int] = []
        positions.reserveCapacity(members.count)
        for (position, member) in members.enumerated()
        where positions.updateValue(position, forKey: member.key) != nil {
            repeats.append(position)
        }
        self.init(
            bytes: bytes, members: members, body: body, positions: positions, repeats: repeats, fault: fault)
    }

    /// Reads a settings file's text, which has to be one JSON object.
    ///
    /// With a fault, the document has the members before the damage and, in an indented file with a member a
    /// line, those on later lines. Changing it then writes a new text.
    package static func read(_ bytes: [UInt8]) -> (document: SettingsDocument, fault: JSONFault?) {
        var reader = SettingsReader(bytes)
        let fault = reader.read()
        let document = SettingsDocument(
            bytes: bytes, members: reader.members, body: reader.body, fault: fault)
        return (document, fault)
    }
}

extension SettingsDocument {
    /// The value of the last member with that name.
    package func value(forKey key: KeyName) -> StoredValue? {
        positions[key].map(value(at:))
    }

    func value(at position: Int) -> StoredValue {
        StoredValue(trusted: bytes[members[position].value])
    }

    /// The names, each once, at the places of the members that count.
    package var keys: some Collection<KeyName> {
        repeats.isEmpty
            ? members.map(\.key)
            : members.indices.filter { positions[members[$0].key] == $0 }.map { members[$0].key }
    }

    /// The line and column of a key's value, found by reading up to it.
    package func place(ofKey key: KeyName) -> (line: Int, column: Int)? {
        guard let position = positions[key] else { return nil }
        let place = TextPlace(of: members[position].value.lowerBound, in: bytes[...])
        return (place.line, place.column)
    }

    /// Each name that stood in the file before, and where it stands again; found by reading up to it.
    package var duplicateKeys: [(key: KeyName, line: Int, column: Int)] {
        var place = TextPlace(startOf: bytes[...])
        return repeats.map { position in
            place.advance(to: members[position].start, in: bytes[...])
            return (members[position].key, place.line, place.column)
        }
    }
}
