import DefaultsStore

/// One thing that `check` says, whoever found it.
struct Finding {
    let severity: DefaultsFinding.Severity
    let category: String
    let path: String
    var line: Int?
    var column: Int?
    var key: String?
    let reason: String
    var recoverySuggestion: String?
    var isRepairable = false

    /// Prints it for a person.
    func show() throws {
        let colours: [DefaultsFinding.Severity: Colour] = [.note: .faint, .warning: .warning, .error: .error]
        let place = SafeText.escaped(path) + (line.map { ":\($0):\(column ?? 1)" } ?? "")
        let label = colours[severity]?("\(severity):") ?? ""
        try Output.line(
            "\(label) \(place): \(key.map { SafeText.name($0) + ": " } ?? "")\(SafeText.escaped(reason))")
        if let recoverySuggestion {
            try Output.line("    " + Colour.faint(SafeText.escaped(recoverySuggestion)))
        }
    }

    /// The same for scripts.
    var json: DefaultsValue {
        .members([
            "severity": .string("\(severity)"), "category": .string(category), "path": .string(path),
            "line": line.map { .count($0) }, "column": column.map { .count($0) },
            "key": key.map { .string($0) },
            "reason": .string(reason), "recoverySuggestion": recoverySuggestion.map { .string($0) },
            "isRepairable": .bool(isRepairable),
        ])
    }
}

extension Finding {
    /// What the library found.
    init(_ finding: DefaultsFinding) {
        self.init(
            severity: finding.severity, category: finding.category, path: finding.path, line: finding.line,
            column: finding.column, key: finding.key, reason: finding.reason,
            recoverySuggestion: finding.recoverySuggestion,
            isRepairable: finding.isRepairable)
    }

    /// What a schema says of a stored value, with its place in the file.
    init(
        _ severity: DefaultsFinding.Severity, _ category: String, _ key: String, _ reason: String,
        in suite: DefaultsSuite
    ) {
        self.init(severity: severity, category: category, path: suite.path ?? "", key: key, reason: reason)
        for case .file(let path, let line, let column) in suite.explain(forKey: key).filter({
            $0.domain == .stored
        }).map(\.location)
        where path == suite.path {
            (self.line, self.column) = (line, column)
        }
    }
}
