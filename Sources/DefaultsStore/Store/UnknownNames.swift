/// Names in files and the environment that no declared key takes: mistyped, most likely.
extension SuiteContext {
    /// Returns a problem for each name that nothing takes; none while no key is declared.
    func unknownNames(in view: View) -> [DefaultsProblem] {
        let declared = catalogue.all
        guard !declared.isEmpty else { return [] }
        let names = Set(declared.map(\.name))
        var problems: [DefaultsProblem] = []
        func add(_ key: KeyName, _ origin: DefaultsOrigin) {
            guard key.isSetting, !names.contains(key), problems.count < FailureLog.mostOfOneFile else {
                return
            }
            let place =
                origin == .managed
                ? view.domains.contents.managed.file(with: key)?.place(of: key)
                : filePlace(of: key, origin, view.snapshot)
            problems.append(
                DefaultsProblem(
                    key: key.string, domain: origin.description, line: place?.line, column: place?.column,
                    code: .unregisteredKey, reason: reason(key, names), text: nil))
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
                    key: nil, domain: DefaultsOrigin.environment.description, line: nil, column: nil,
                    code: .unregisteredKey,
                    reason: "nothing takes the variable \(variable.name)"
                        + (variable.nearest.map { "; the nearest that is taken is \($0)" } ?? ""),
                    text: nil)
            }
    }

    private func reason(_ key: KeyName, _ declared: Set<KeyName>) -> String {
        if let object = key.objectNames.first(where: declared.contains) {
            return "nothing takes it in a file; write it as a member of \"\(object)\""
        }
        if let inner = declared.filter({ $0.objectNames.contains(key) }).min() {
            return "nothing takes it in a file; write \"\(inner)\" as one name"
        }
        let nearest = NearestName.of(key.string, among: declared)
        return "no declared key has this name" + (nearest.map { "; the nearest is \"\($0)\"" } ?? "")
    }
}
