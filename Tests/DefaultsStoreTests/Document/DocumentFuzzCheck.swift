/// What must hold of any bytes that are read as a settings file; run by tests and by `.ci/fuzz`.
@testable import DefaultsStore

enum DocumentFuzzCheck {
    /// What does not hold, nil when everything does.
    static func objection(to input: [UInt8]) -> String? {
        let document = SettingsDocument.read(input).document
        return quickObjection(document) ?? placesObjection(document)
            ?? valuesObjection(document)
            ?? edits(of: document).lazy.compactMap { objection(to: $0, of: document) }.first
    }

    private typealias Change = (key: KeyName, value: StoredValue?)

    /// The quick scanner passes what the careful one passes, and nothing else.
    private static func quickObjection(_ document: SettingsDocument) -> String? {
        let careful = SettingsDocument.read(document.bytes, isQuick: false).document
        let isSame =
            careful.members == document.members && careful.body == document.body
            && careful.fault == document.fault && careful.index.repeats == document.index.repeats
        return isSame ? nil : "the quick scanner and the careful one read different members"
    }

    /// What is looked up by reading up to it; damage is reported inside the text.
    private static func placesObjection(_ document: SettingsDocument) -> String? {
        guard document.keys.allSatisfy({ document.place(ofKey: $0) != nil }) else {
            return "a key has no place"
        }
        guard document.keys.count + document.duplicateKeys.count == document.members.count else {
            return "keys and duplicates are not all members"
        }
        guard let fault = document.fault else { return nil }
        return 0...document.bytes.count ~= fault.offset ? nil : "the fault is outside the text"
    }

    private static func valuesObjection(_ document: SettingsDocument) -> String? {
        for member in document.members {
            do {
                let text = Array(document.bytes[member.value])
                guard try StoredValue(validating: text).value == StoredValue(trusted: text[...]).value else {
                    return "\(member.key) has one value in the file and another by itself"
                }
            } catch  where error.isTooDeep {
                // It can be kept, and not written.
            } catch {
                return "\(member.key) was read and is refused by itself: \(error)"
            }
        }
        return nil
    }

    /// Each of the first members removed, set, and set again; new keys; several of these at once.
    private static func edits(of document: SettingsDocument) -> [[Change]] {
        let keys = document.members.prefix(6).map(\.key)
        let taken = keys.last.flatMap(document.value(forKey:))?.onOneLine ?? .null
        let added = KeyName(String(decoding: document.bytes.prefix(5), as: UTF8.self))
        let sum = Int(Checksum.crc32c(document.bytes))
        let drawn = keys.indices.filter { sum >> $0 & 1 == 1 }.map { position -> Change in
            (keys[position], sum >> (8 + position) & 1 == 1 ? StoredValue([1, "a\n"]) : nil)
        }
        return [[], [(added, taken)], [(.schema, taken)], drawn]
            + [drawn + [(added, StoredValue("\"")), (.schema, .null), (KeyName("new"), .null)]]
            + [keys.map { ($0, nil) }, keys.map { ($0, nil) } + [(KeyName("new"), StoredValue(true))]]
            + keys.flatMap { key in [[(key, nil)], [(key, taken)], [(key, document.value(forKey: key))]] }
    }

    private static func objection(to changes: [Change], of document: SettingsDocument) -> String? {
        let edited = document.applying(changes)
        let what = "after \(changes.map { "\($0.key): \($0.value?.value.description ?? "removed")" })"
        let model = changes.reduce(into: texts(of: document)) { $0[$1.key] = $1.value }
        if model == texts(of: document) {
            return edited.bytes == document.bytes ? nil : "\(what): the text changed and its meaning did not"
        }
        // An array or object that is equal and written in another way is no change either.
        let present = texts(of: document)
        if edited.bytes == document.bytes, present.keys == model.keys,
            model.allSatisfy({ present[$0]?.isSame(as: $1) == true })
        {
            return nil
        }
        let (again, fault) = SettingsDocument.read(edited.bytes)
        if let fault { return "\(what): the text is damaged: \(fault)" }
        guard again.members == edited.members, again.body == edited.body else {
            return "\(what): members are not where the document says"
        }
        guard again.duplicateKeys.map(\.key) == edited.duplicateKeys.map(\.key) else {
            return "\(what): the document does not know its duplicates"
        }
        if document.fault == nil {
            let written = texts(of: again)
            guard written.keys == model.keys, model.allSatisfy({ written[$0]?.isSame(as: $1) == true }) else {
                return "\(what): another value than was set or left"
            }
            // What was not written is what it was, byte for byte.
            let untouched = texts(of: document).filter { key, _ in !changes.contains { $0.key == key } }
            guard untouched.allSatisfy({ written[$0] == $1 }) else {
                return "\(what): an untouched text changed"
            }
            let (before, after) = (comments(in: document), comments(in: again))
            if before == after { return nil }
            // Those beside a removed member go with it.
            let isRemoval = changes.contains { $0.value == nil }
            return isRemoval && isPart(after, of: before) ? nil : "\(what): a comment changed"
        }
        return texts(of: again).mapValues(\.value) == model.mapValues(\.value)
            ? nil : "\(what): another value than was set or left"
    }

    private static func texts(of document: SettingsDocument) -> [KeyName: StoredValue] {
        Dictionary(uniqueKeysWithValues: document.keys.map { ($0, document.value(forKey: $0) ?? .null) })
    }

    /// Whether one list is another with some left out.
    private static func isPart(_ part: [[UInt8]], of whole: [[UInt8]]) -> Bool {
        var rest = part[...]
        for comment in whole where rest.first == comment { rest.removeFirst() }
        return rest.isEmpty
    }

    /// The comments outside members, in their order.
    private static func comments(in document: SettingsDocument) -> [[UInt8]] {
        var rest = document.bytes[...]
        var starts = document.members[...]
        var comments: [[UInt8]] = []
        while let first = rest.first {
            if let member = starts.first, member.start == rest.startIndex {
                starts.removeFirst()
                rest = rest[member.value.upperBound...]
            } else if first == UInt8(ascii: "/") {
                let end = endOfComment(rest)
                comments.append(Array(rest[..<end]))
                rest = rest[end...]
            } else {
                rest.removeFirst()
            }
        }
        return comments
    }

    private static func endOfComment(_ text: ArraySlice<UInt8>) -> Int {
        if text.dropFirst().first == UInt8(ascii: "/") {
            return text.firstIndex(where: \.isLineEnd) ?? text.endIndex
        }
        let inside = text.dropFirst(2)
        let star = zip(inside.indices, inside.indices.dropFirst()).first {
            text[$0] == UInt8(ascii: "*") && text[$1] == UInt8(ascii: "/")
        }
        return (star?.1 ?? text.endIndex - 1) + 1
    }
}
