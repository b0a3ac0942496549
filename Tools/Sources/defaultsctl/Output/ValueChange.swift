import DefaultsStore

/// A change of a stored value, as `diff` and the plans of `load` and `restore` print it.
struct ValueChange {
    let key: String
    let old: DefaultsValue?
    let new: DefaultsValue?

    /// One line, `volume: 0.5 -> 0.3`.
    func line(hiding hidden: HiddenValues) -> String {
        func text(_ value: DefaultsValue?) -> String {
            value != nil && hidden.hides(key) ? HiddenValues.mark : Shown.inLine(value)
        }
        return "\(SafeText.name(key)): \(text(old)) -> \(text(new))"
    }

    /// The same for scripts.
    func json(hiding hidden: HiddenValues) -> DefaultsValue {
        let isHidden = hidden.hides(key)
        return .members([
            "key": .string(key), "old": isHidden ? nil : old, "new": isHidden ? nil : new,
            "isHidden": isHidden ? true : nil,
        ])
    }
}

extension DefaultsDraft {
    /// The changes to print; no key is declared here, so none of them is secret.
    var valueChanges: [ValueChange] {
        changes.map { ValueChange(key: $0.key, old: $0.old, new: $0.new) }
    }

    /// Prints what would change and what would be refused.
    ///
    /// - Parameter refused: what a schema refuses besides.
    /// - Throws: the first problem, so that the status is that of applying it.
    func printPlan(
        hiding hidden: HiddenValues, refused: [SchemaRules.Refusal] = [], json isJSON: Bool
    ) throws {
        let (changes, problems, conflicts) = (valueChanges, problems, conflicts)
        if isJSON {
            try Output.json(
                .members([
                    "changes": .array(changes.map { $0.json(hiding: hidden) }),
                    "problems": .array(problems.map(DefaultsDraft.json) + refused.map(\.json)),
                    "conflicts": .array(conflicts.map { .string($0) }),
                ]))
        } else {
            for change in changes { try Output.line(change.line(hiding: hidden)) }
            for key in conflicts { try Output.line("conflict: \(SafeText.name(key))") }
        }
        for problem in problems.dropFirst() { Output.complain(problem.description, as: "problem") }
        for refusal in refused.dropFirst(problems.isEmpty ? 1 : 0) {
            Output.complain(refusal.message, as: "problem")
        }
        if let first = problems.first { throw first }
        if let first = refused.first { throw Failure(.unusableInput, first.message) }
    }

    private static func json(_ problem: DefaultsError) -> DefaultsValue {
        .members([
            "key": problem.key.map { .string($0) }, "code": .string(problem.code.description),
            "message": .string(problem.description),
        ])
    }
}
