import DefaultsStore

/// The JSON Schema of the values of any type.
///
/// Of a type that decodes itself it is what the type asks a decoder for. Then the type decodes examples, with and
/// without each member and with values of other kinds. What these contradict is left out, so that a type that reads
/// several forms is not said to read one.
struct TypeSchema {
    /// The default's value in this place, from which missing members are taken.
    let standard: DefaultsValue?
    /// Whether a member that is `null` says that there is none.
    let isMerged: Bool
    /// The types around this one; a type within itself is not described again.
    private let enclosing: [any Any.Type]

    init(like standard: DefaultsValue?, isMerged: Bool = false) {
        self.init(standard, isMerged, [])
    }

    private init(_ standard: DefaultsValue?, _ isMerged: Bool, _ enclosing: [any Any.Type]) {
        self.standard = standard?.isNull == false ? standard : .none
        (self.isMerged, self.enclosing) = (isMerged, enclosing)
    }

    /// For a member.
    func inside(_ name: String) -> TypeSchema { TypeSchema(standard?.object?[name], isMerged, enclosing) }

    /// For values to which the default says nothing, as for the elements of a list.
    var alone: TypeSchema { TypeSchema(nil, isMerged, enclosing) }

    /// The schema of a type; empty if nothing is certain.
    func of(_ type: any Any.Type) -> DefaultsObject {
        let known = ValueSchema.of(type)
        guard known.isEmpty else { return known }
        if let container = type as? any SchemaContainer.Type { return container.schema(by: self) }
        let raw = ValueSchema.ofRawValues(type)
        guard raw.isEmpty else { return raw }
        guard !(type is any DirectlyDecoded.Type), let decodable = type as? any Decodable.Type,
            !enclosing.contains(where: { $0 == type }), enclosing.count < 16
        else { return [:] }
        return TypeSchema(standard, isMerged, enclosing + [type]).learned(decodable)
    }
}

/// Types that decode themselves.
extension TypeSchema {
    /// Why a value is not decoded; nil if it is.
    private typealias Trial = (DefaultsValue) -> (any Error)?

    private func learned<Value: Decodable>(_ type: Value.Type) -> DefaultsObject {
        let requests = requests(of: type)
        let trial: Trial = { value in
            do {
                _ = try ValueDecoder(value: value, path: .root).decode(type)
                return nil
            } catch { return error }
        }
        if let names = requests.names {
            let payloads = names.map { name in (name, self.requests(of: type, choosing: name)) }
            if let schema = ofChoices(payloads, trial) { return schema }
        }
        return settled(requests, trial)
    }

    /// What a type asks for, if each member whose example it does not take is missing.
    private func requests<Value: Decodable>(
        of type: Value.Type, choosing name: String? = nil
    ) -> DecodingRequests {
        var absent: Set<String> = []
        while true {
            let requests = DecodingRequests(absent: absent, choosing: name)
            do {
                _ = try type.init(from: RecordingDecoder(requests: requests, learner: self, path: .root))
                return requests
            } catch {
                guard let refused = requests.refused, absent.insert(refused).inserted else { return requests }
            }
        }
    }

    /// The schema of what was asked for, as far as examples confirm it.
    private func settled(_ requests: DecodingRequests, _ trial: Trial) -> DefaultsObject {
        guard !requests.isUnclear, let kind = requests.kind else { return [:] }
        let schema: DefaultsObject =
            switch kind {
            case .single: requests.single
            case .list: ["type": "array"]
            case .object: ofObject(requests, trial)
            }
        return TypeSchema.confirmed(schema, trial)
    }

    /// Values of each kind, and texts that a type may read as something else.
    private static let probes: [DefaultsValue] = [
        nil, true, 1, "a", "1", "true", "2001-01-01T00:00:00Z", "https://example.org", [], [:],
    ]

    /// The schema without what a value of another kind that decodes contradicts.
    private static func confirmed(_ schema: DefaultsObject, _ trial: Trial) -> DefaultsObject {
        guard let kinds = kinds(of: schema) else { return schema }
        var schema = schema
        for probe in probes where !kinds.contains(kind(of: probe)) && trial(probe) == nil {
            guard probe.isNull else { return [:] }
            schema = ValueSchema.orNull(schema)
        }
        return schema
    }

    /// The kinds of values that a schema allows, in the words of the standard; nil if it allows all.
    private static func kinds(of schema: DefaultsObject) -> Set<String>? {
        if let cases = schema["enum"]?.array { return Set(cases.map(kind)) }
        guard let type = schema["type"] else { return nil }
        return Set((type.array ?? [type]).compactMap(\.string).map { $0 == "integer" ? "number" : $0 })
    }

    private static func kind(of value: DefaultsValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object, .rawJSON: "object"
        }
    }
}

/// Types that are objects.
extension TypeSchema {
    private func ofObject(_ requests: DecodingRequests, _ trial: Trial) -> DefaultsObject {
        let asked = Set(requests.members.map(\.name))
        // A member that the default has and the type did not ask for may be read all the same.
        let others = (standard?.object ?? [:]).filter { !asked.contains($0.key) }
        let members = requests.members + others.map { ($0.key, .value([:])) }
        guard let base = base(members, trial) else { return ["type": "object"] }
        var properties: [DefaultsObject.Element] = []
        var required: [DefaultsValue] = []
        for (name, member) in members {
            properties.append(
                (name, .object(property(name, member) { trial(base.having($0, forKey: name)) })))
            if let error = trial(base.having(nil, forKey: name)), !isSupplied(name, error) {
                required.append(.string(name))
            }
        }
        let schema: DefaultsObject = ["type": "object", "properties": .object(DefaultsObject(properties))]
        return required.isEmpty ? schema : schema.adding("required", .array(required))
    }

    /// The members' schema, and the default of one that is no object.
    private func property(
        _ name: String, _ member: DecodingRequests.Member, _ trial: Trial
    ) -> DefaultsObject {
        let inner = inside(name)
        let schema =
            switch member {
            case .value(let schema): TypeSchema.confirmed(schema, trial)
            case .nested(let requests): inner.settled(requests, trial)
            }
        guard let standard = inner.standard, standard.object == nil else { return schema }
        return schema.adding("default", standard)
    }

    /// An object that decodes, with as many members as possible.
    private func base(
        _ members: [(name: String, member: DecodingRequests.Member)], _ trial: Trial
    ) -> DefaultsObject? {
        let defaults = DefaultsObject(
            members.compactMap { name, _ in inside(name).standard.map { (key: name, value: $0) } })
        let all = DefaultsObject(
            members.compactMap { name, member in
                let inner = inside(name)
                let example: DefaultsValue? =
                    switch member {
                    case .value(let schema): SchemaExample.of(schema)
                    case .nested(let requests): inner.example(of: requests)
                    }
                return (inner.standard ?? example).map { (key: name, value: $0) }
            })
        return [all, defaults].first { trial(.object($0)) == nil }
    }

    private func example(of requests: DecodingRequests) -> DefaultsValue? {
        switch requests.kind {
        case .object: .object(base(requests.members) { _ in nil } ?? [:])
        case .list: []
        case .single, nil: SchemaExample.of(requests.single)
        }
    }

    /// Whether the library takes a missing member from the default.
    private func isSupplied(_ name: String, _ error: any Error) -> Bool {
        guard inside(name).standard != nil else { return false }
        if isMerged { return true }
        guard case DecodingError.keyNotFound(let key, _) = error else { return false }
        return key.stringValue == name
    }
}

/// Enumerations with associated values, which are objects of one member: the case.
extension TypeSchema {
    /// Nil if the type is none.
    private func ofChoices(
        _ choices: [(name: String, requests: DecodingRequests)], _ trial: Trial
    ) -> DefaultsObject? {
        var properties: [DefaultsObject.Element] = []
        var confirmed: [DefaultsObject.Element] = []
        for (name, requests) in choices {
            func one(_ value: DefaultsValue) -> (any Error)? {
                trial(.object(DefaultsObject([(key: name, value: value)])))
            }
            guard case .nested(let payload) = requests.members.first(where: { $0.name == name })?.member
            else {
                return nil
            }
            let inner = inside(name)
            guard let example = inner.standard ?? inner.example(of: payload), one(example) == nil else {
                // Only the type itself knows which values of the case it reads.
                properties.append((name, [:]))
                continue
            }
            let schema = inner.settled(payload, one)
            properties.append((name, .object(isMerged ? ValueSchema.orNull(schema) : schema)))
            confirmed.append((name, example))
        }
        guard !confirmed.isEmpty, trial([:]) != nil,
            confirmed.count == 1 || trial(.object(DefaultsObject(confirmed.prefix(2)))) != nil
        else { return nil }
        let schema: DefaultsObject = ["type": "object", "properties": .object(DefaultsObject(properties))]
        // A part that is merged with the default says of the default's case that it is not there.
        guard !isMerged else { return TypeSchema.confirmed(schema, trial) }
        let one = properties.map { DefaultsValue.object(["type": "object", "required": [.string($0.key)]]) }
        return TypeSchema.confirmed(schema.adding("oneOf", .array(one)), trial)
    }
}

extension DefaultsObject {
    fileprivate func adding(_ name: String, _ value: DefaultsValue) -> DefaultsObject {
        DefaultsObject(Array(self) + [(key: name, value: value)])
    }

    /// The object with another value of a member, or without the member.
    fileprivate func having(_ value: DefaultsValue?, forKey name: String) -> DefaultsValue {
        var members = Array(self)
        if let place = members.firstIndex(where: { $0.key == name }) {
            if let value { members[place].value = value } else { members.remove(at: place) }
        } else if let value {
            members.append((name, value))
        }
        return .object(DefaultsObject(members))
    }
}

/// A type of the standard library that has values of other types.
protocol SchemaContainer {
    /// Its schema.
    static func schema(by learner: TypeSchema) -> DefaultsObject
}

extension Optional: SchemaContainer {
    static func schema(by learner: TypeSchema) -> DefaultsObject {
        ValueSchema.orNull(learner.of(Wrapped.self))
    }
}

extension Array: SchemaContainer {
    static func schema(by learner: TypeSchema) -> DefaultsObject {
        ["type": "array", "items": .object(learner.alone.of(Element.self))]
    }
}

extension Set: SchemaContainer {
    static func schema(by learner: TypeSchema) -> DefaultsObject {
        ["type": "array", "items": .object(learner.alone.of(Element.self))]
    }
}

extension Dictionary: SchemaContainer {
    /// Keys that are not names are written in a list, alternating with their values.
    ///
    /// Keys that are strings by their raw values, or integers, may be in either form. An entry that the default has
    /// may lack members, which come from there.
    static func schema(by learner: TypeSchema) -> DefaultsObject {
        let isNamed = Key.self is any CodingKeyRepresentable.Type
        guard isNamed || hasNames(Key.self) else { return ["type": "array"] }
        func orNothing(_ schema: DefaultsObject) -> DefaultsObject {
            learner.isMerged ? ValueSchema.orNull(schema) : schema
        }
        let value = learner.alone.of(Value.self)
        let entries = (learner.standard?.object ?? [:]).prefix(100).compactMap { name, _ in
            let own = learner.inside(name).of(Value.self)
            return own == value ? nil : (key: name, value: DefaultsValue.object(orNothing(own)))
        }
        var schema: DefaultsObject = ["type": isNamed ? "object" : ["object", "array"]]
        if !entries.isEmpty { schema = schema.adding("properties", .object(DefaultsObject(entries))) }
        return schema.adding("additionalProperties", .object(orNothing(value)))
    }
}
