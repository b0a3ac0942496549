import DefaultsStore
import TypedDefaults

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
        do { encoded = try DefaultsValue(encoding: value) } catch {
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

    /// Returns the value of some members; other members supply those that are required and missing.
    ///
    /// - Parameters:
    ///   - spare: removed members; they become nil if the property can be nil.
    ///   - new: the members of a new instance.
    /// - Throws: `.typeMismatch` with the member's name.
    static func value<Whole: SettingsManageable>(
        _ type: Whole.Type, of members: WholeMembers, sparing spare: WholeMembers = [],
        over new: WholeMembers,
        in suite: DefaultsSuite
    ) throws(DefaultsError) -> Whole {
        var object = DefaultsValue(members)
        while true {
            do {
                return try decoded(type, object, suite)
            } catch DecodingError.keyNotFound(let key, let context) {
                let path = (context.codingPath + [key]).map(\.stringValue)
                guard let grown = object.adding(path[...], from: [spare, new].map { DefaultsValue($0) })
                else {
                    throw refusal(DecodingError.keyNotFound(key, context), suite)
                }
                object = grown
            } catch {
                throw refusal(error, suite)
            }
        }
    }

    private static func decoded<Whole: SettingsManageable>(
        _ type: Whole.Type, _ object: DefaultsValue, _ suite: DefaultsSuite
    ) throws -> Whole {
        let context = suite.context
        return try object.decoded(as: type) { finding in
            guard let member = finding.member else { return }
            let place = KeyPlace(key: KeyName(member), suite: context.name, context: context)
            let doubt = place.error(.ambiguousDate, foreign: finding.reason)
            context.reportLasting(context.locating(doubt, key: place.key, context.loaded))
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

extension DefaultsValue {
    fileprivate init(_ members: WholeMembers) {
        self = .object(DefaultsObject(members.map { (name: $0.key, value: $0.value.value) }))
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
