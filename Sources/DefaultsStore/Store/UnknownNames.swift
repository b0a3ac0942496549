/// Names in files and the environment that no declared key takes: mistyped, most likely.
extension SuiteContext {
    /// Returns a problem for each name that nothing takes; none while no key is declared.
    func unknownNames(in view: View) -> [DefaultsProblem] {
        let declared = catalogue.all
        guard !declared.isEmpty else { return [] }
        let names = Set(declared.map(\.name))
        var problems: [DefaultsProblem] = []
        let forms = Set(
            declared.flatMap { view.domains.candidates($0.name, stored: nil) }.compactMap(\.spelling))
        func add(_ key: KeyName, _ domain: DefaultsDomain) {
            guard key.isSetting, !names.contains(key), problems.count < FailureLog.mostOfOneFile,
                domain == .stored || !forms.contains(key)
            else { return }
            let place =
                domain == .managed
                ? view.domains.contents.managed.file(with: key)?.place(of: key)
                : filePlace(of: key, domain, view.snapshot)
            problems.append(
                DefaultsProblem(
                    key: key.string, domain: domain, line: place?.line, column: place?.column,
                    code: .unregisteredKey, reason: reason(key, domain, names), text: nil))
        }
        for key in view.snapshot.values.keys { add(key, .stored) }
        for key in Set(view.domains.contents.managed.keys).sorted() { add(key, .managed) }
        let environment = view.domains.contents.environment
        guard !environment.unknown(besides: Array(names)).isEmpty else { return problems }
        let taken = declared.flatMap { [$0.name] + $0.members.map(\.name) }
        let variables = environment.unknown(besides: taken).prefix(FailureLog.mostOfOneFile)
        return problems
            + variables.map { variable in
                DefaultsProblem(
                    key: nil, domain: .environment, line: nil, column: nil,
                    code: .unregisteredKey,
                    reason: "nothing takes the variable \(variable.name)"
                        + (variable.nearest.map { "; the nearest that is taken is \($0)" } ?? ""),
                    text: nil)
            }
    }

    private func reason(
        _ key: KeyName, _ domain: DefaultsDomain, _ declared: Set<KeyName>
    ) -> String {
        if let object = key.objectNames.first(where: declared.contains) {
            if domain == .stored {
                return "nothing takes it in the settings file; write it as a member of \"\(object)\""
            }
            let members = catalogue.declaration(object)?.members.map(\.name) ?? []
            if members.contains(key) { return "the same file has \"\(object)\", which applies" }
            return "\"\(object)\" has no such member" + nearest(to: key, among: Set(members))
        }
        if let inner = declared.filter({ $0.objectNames.contains(key) }).min() {
            return domain == .stored
                ? "nothing takes it in the settings file; write \"\(inner)\" as one name"
                : "it is taken for \"\(inner)\" only if it has that, and the same file has no \"\(inner)\""
        }
        return "no declared key has this name" + nearest(to: key, among: declared)
    }

    private func nearest(to key: KeyName, among names: Set<KeyName>) -> String {
        NearestName.of(key.string, among: names).map { "; the nearest is \"\($0)\"" } ?? ""
    }
}
