/// Merges a value into the text of the one before it: what is equal keeps its text, with comments, order and layout.
enum TextMerging {
    /// Returns the text of a value, in the shape of the old one if both are arrays, or both are objects.
    ///
    /// The value counts for more than its shape: a text that does not read as the value is not taken.
    static func merged(_ new: StoredValue, into old: StoredValue) -> StoredValue {
        guard new.isList, new.bytes.first == old.bytes.first else { return new }
        do {
            let text = try merged(new.value, into: Array(old.bytes), of: old.value)
            return try DefaultsValue(reading: text) == new.value ? StoredValue(trusted: text[...]) : new
        } catch {
            return new
        }
    }

    /// Returns the text of a value in the shape of an old text.
    ///
    /// - Throws: the fault of a text that is no JSON.
    static func merged(
        _ new: DefaultsValue, into text: [UInt8], of old: DefaultsValue
    ) throws(JSONFault) -> [UInt8] {
        if new == old { return text }
        switch (old, new) {
        case (.object(let old), .object(let new)): return try merged(new, into: NestedList(text), of: old)
        case (.array(let old), .array(let new)): return try merged(new, into: NestedList(text), of: old)
        default: return JSONWriter.text(of: new)
        }
    }

    private static func merged(
        _ new: DefaultsObject, into list: NestedList, of old: DefaultsObject
    ) throws(JSONFault) -> [UInt8] {
        var fates = ListFates()
        let counting = Set(old.counting)
        for position in 0..<list.count {
            guard let value = new[list.names[position]] else {
                fates.remove(position)
                continue
            }
            // Of several with one name the last one applies.
            guard counting.contains(position), value != old[position].value else { continue }
            fates.replace(try merged(value, into: list, at: position, of: old[position].value), at: position)
        }
        let lines = list.linesOfObjects(in: list.lines)
        let additions = new.effective.filter { old[$0.name] == nil }.map { name, value in
            let text = StoredValue(value)
            return NestedList.Addition(text: name.quoted + ": ".utf8 + (lines?.text(of: text) ?? text).bytes)
        }
        return try finished(list, fates, additions.isEmpty ? [:] : [.max: additions])
    }

    private static func merged(
        _ new: [DefaultsValue], into list: NestedList, of old: [DefaultsValue]
    ) throws(JSONFault) -> [UInt8] {
        let matching = ListMatching(from: old, to: new)
        let kept = matching.inOrder
        var fates = ListFates()
        var additions: [Int: [NestedList.Addition]] = [:]
        var stays = Set(old.indices)
        var place = 0
        for (position, value) in new.enumerated() {
            let origin = matching.origins[position]
            let isKept = place < kept.count && kept[place] == position
            let text = try origin.map { (origin) throws(JSONFault) in
                try merged(value, into: list, at: origin.position, of: old[origin.position])
            }
            if isKept, let origin {
                place += 1
                stays.remove(origin.position)
                if !origin.isEqual, let text { fates.replace(text, at: origin.position) }
            } else {
                additions[place, default: []].append(addition(of: value, text, from: origin, list))
                if let origin, let above = list.commentsAbove(origin.position) {
                    fates.remove(origin.position, from: above.lowerBound)
                }
            }
        }
        for position in stays { fates.remove(position) }
        return try finished(list, fates, additions)
    }

    private static func merged(
        _ new: DefaultsValue, into list: NestedList, at position: Int, of old: DefaultsValue
    ) throws(JSONFault) -> ArraySlice<UInt8> {
        try merged(new, into: Array(list.bytes[list.valueRange(at: position)]), of: old)[...]
    }

    /// An element at its new place, with the comments that belong to it if it was in another one.
    private static func addition(
        of value: DefaultsValue, _ text: ArraySlice<UInt8>?, from origin: ListMatching.Origin?,
        _ list: NestedList
    ) -> NestedList.Addition {
        guard let text, let origin else { return NestedList.Addition(text: JSONWriter.text(of: value)) }
        let comments = list.comments(of: origin.position)
        let above = list.commentsAbove(origin.position)
        return NestedList.Addition(
            text: (above.map { Array(list.bytes[$0]) } ?? []) + text + comments.before,
            isIndented: above != nil, comments: comments.behind)
    }

    /// - Parameter additions: by the number of elements that stay before them; `.max` for the end.
    private static func finished(
        _ list: NestedList, _ fates: ListFates, _ additions: [Int: [NestedList.Addition]]
    ) throws(JSONFault) -> [UInt8] {
        var text = list.bytes
        if !fates.isEmpty {
            text = list.edited(fates)
            if let hollow = try NestedList(text).withoutHollowBody { text = hollow }
        }
        guard !additions.isEmpty else { return text }
        let rest = try NestedList(text)
        var places = additions
        if let last = places.removeValue(forKey: .max) { places[rest.count] = last }
        // What is removed may leave a line comment behind the last one that stays.
        return rest.adding(places, in: list.lines ?? rest.lines)
    }
}
