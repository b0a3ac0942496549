import DefaultsStore

/// The paths of a value's members, which can be set one by one.
enum MemberPaths {
    /// The limits of depth and number.
    private static let (deepest, most) = (8, 1_000)

    /// The paths of a value's stored members, nested ones included, and of optional properties that are nil
    /// and not stored.
    static func of(_ value: Any, as stored: DefaultsValue) -> [[String]] {
        var paths: [[String]] = []
        add(to: &paths, value, stored, [])
        return paths
    }

    private static func add(
        to paths: inout [[String]], _ value: Any?, _ stored: DefaultsValue?, _ path: [String]
    ) {
        guard path.count < deepest, let members = stored?.object else { return }
        var properties: [String: Any] = [:]
        let mirror = value.map { Mirror(reflecting: $0) }
        for property in mirror?.children ?? AnyCollection([]) {
            if let name = property.label { properties[name] = property.value }
        }
        let missing = properties.keys.filter { name in
            members[name] == nil && properties[name].map { Mirror(reflecting: $0).displayStyle } == .optional
        }
        for name in members.map(\.key) + missing.sorted() where paths.count < most {
            paths.append(path + [name])
            add(to: &paths, properties[name], members[name], path + [name])
        }
    }
}
