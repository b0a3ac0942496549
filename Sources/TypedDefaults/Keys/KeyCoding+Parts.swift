import DefaultsStore

/// Whether a text can be a part of a value, which is combined with what other domains have.
extension KeyCoding {
    /// Returns why no value of the key has a text as its part.
    ///
    /// What the part leaves out is no reason, since another domain may have it; nor is the rule, which is for the
    /// whole.
    func objection(
        toPart part: StoredValue, at place: KeyPlace, default makeDefault: () -> Value
    ) -> DefaultsError? {
        // By itself an object is read only up to the first member that it leaves out, over the default to its end.
        for isOverDefault in merge == .deepMerge ? [false, true] : [false] {
            do {
                let text = isOverDefault ? try overDefault(part, makeDefault) : merge.whole(part, over: nil)
                _ = try codec.decode(Array(text.bytes))
                return nil
            } catch {
                guard merge.lies(error, in: part.value) else { continue }
                return place.error(.typeMismatch, foreign: describe(error), expecting: Value.self)
            }
        }
        return nil
    }
}

extension DefaultsMerge {
    /// What a part has at some place.
    private enum Find { case nothing, open, closed }

    /// Whether what is wrong with a value lies in one part of it, so that no other part can make it right.
    fileprivate func lies(_ error: any Error, in part: DefaultsValue) -> Bool {
        switch error {
        case DecodingError.typeMismatch(_, let context):
            find(context.codingPath, in: part) != .nothing
        case DecodingError.keyNotFound(let key, let context):
            // What a part says is not there is not added by another one below it.
            find(context.codingPath, in: part) == .closed
                || find(context.codingPath + [key], in: part) == .closed
        case DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
            find(context.codingPath, in: part) == .closed
        default:
            // It names no place; elements seldom depend on one another, as members do.
            self != .deepMerge
        }
    }

    /// Looks for a place: open where other domains' parts are added, closed where this one decides.
    private func find(_ path: [any CodingKey], in part: DefaultsValue) -> Find {
        var (here, isOpen) = (part, true)
        for key in path {
            isOpen = isOpen && takes(here)
            guard let next = here[key.stringValue] ?? key.intValue.flatMap({ here[$0] }) else {
                return isOpen ? .nothing : .closed
            }
            here = next
            // Lists are put together as a whole, but not what is in them.
            isOpen = isOpen && self == .deepMerge
        }
        return isOpen && takes(here) ? .open : .closed
    }
}
