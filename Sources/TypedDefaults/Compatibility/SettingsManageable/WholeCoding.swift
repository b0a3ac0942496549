import DefaultsStore

/// The properties of a value as stored members, in the order in which the type encodes them.
typealias WholeMembers = [(key: KeyName, value: StoredValue)]

/// Converts a whole value to its members and back.
enum WholeCoding {
    /// Returns the members of a value; a property that is nil has none.
    ///
    /// - Throws: `.encodingFailed`, `.valueTooLarge`, `.invalidKey`.
    static func members(
        of value: some SettingsManageable, in suite: DefaultsSuite
    ) throws(DefaultsError) -> WholeMembers {
        let encoded: DefaultsValue
        do { encoded = try EncodingPlace.root.encode(value) } catch {
            throw DefaultsError(
                .encodingFailed, suite: suite.name, underlyingDescription: describe(error))
        }
        guard case .object(let object) = encoded else {
            throw DefaultsError(
                .encodingFailed, suite: suite.name,
                underlyingDescription: "\(type(of: value)) does not encode itself as named members")
        }
        return try object.map { (member) throws(DefaultsError) in
            let key = try KeyName.validated(member.key)
            return (key, try StoredValue.checked(member.value, forKey: member.key, in: suite.name))
        }.filter { $0.value != .null }
    }

    /// Returns the value of some members.
    ///
    /// - Throws: `.typeMismatch` with the member's name.
    static func value<Whole: SettingsManageable>(
        _ type: Whole.Type, of members: WholeMembers, in suite: DefaultsSuite
    ) throws(DefaultsError) -> Whole {
        do { return try decoded(type, members, suite) } catch { throw refusal(error, suite) }
    }

    /// Returns the value of some members, with those of `spare` that the type requires.
    ///
    /// - Parameter spare: members that were removed; they become nil if the property can be nil.
    static func value<Whole: SettingsManageable>(
        _ type: Whole.Type, of members: WholeMembers, sparing spare: WholeMembers, in suite: DefaultsSuite
    ) throws(DefaultsError) -> Whole {
        var (members, spare) = (members, spare)
        while true {
            do {
                return try decoded(type, members, suite)
            } catch DecodingError.keyNotFound(let key, let context) where context.codingPath.isEmpty {
                let name = KeyName(key.stringValue)
                guard let place = spare.firstIndex(where: { $0.key == name }) else {
                    throw refusal(DecodingError.keyNotFound(key, context), suite)
                }
                members.append(spare.remove(at: place))
            } catch {
                throw refusal(error, suite)
            }
        }
    }

    private static func decoded<Whole: SettingsManageable>(
        _ type: Whole.Type, _ members: WholeMembers, _ suite: DefaultsSuite
    ) throws -> Whole {
        let object = DefaultsObject(members.map { (name: $0.key, value: $0.value.value) })
        let decoder = ValueDecoder(value: .object(object), path: .root)
        let context = suite.context
        return try DoubtfulDates.look {
            try decoder.decode(type)
        } tell: { finding in
            guard let member = finding.member else { return }
            let place = KeyPlace(key: KeyName(member), suite: context.name, context: context)
            let doubt = place.error(.doubtfulDate, foreign: finding.reason)
            context.reportStanding(context.locating(doubt, key: place.key, context.loaded))
        }
    }

    private static func refusal(_ error: any Error, _ suite: DefaultsSuite) -> DefaultsError {
        DefaultsError(
            .typeMismatch, suite: suite.name, key: member(of: error), path: suite.path,
            underlyingDescription: describe(error))
    }

    private static func member(of error: any Error) -> String? {
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.first?.stringValue
        case .keyNotFound(let key, let context): (context.codingPath.first ?? key).stringValue
        default: nil
        }
    }
}

extension WholeMembers {
    /// Returns the value of a member.
    func value(forKey key: KeyName) -> StoredValue? { first { $0.key == key }?.value }

    /// Returns these members with others in their place, and further ones after them.
    func overlaid(with others: WholeMembers) -> WholeMembers {
        map { (key: $0.key, value: others.value(forKey: $0.key) ?? $0.value) }
            + others.filter { value(forKey: $0.key) == nil }
    }
}

extension DefaultsError {
    /// Returns the same failure for a member of another file.
    func inFile(_ path: String) -> DefaultsError {
        DefaultsError(code, suite: suite, key: key, path: path, underlyingDescription: underlyingDescription)
    }
}
