import ArgumentParser
import TypedDefaults

/// What the help says of a key.
extension KeyOption {
    /// The description, what is allowed, and what applies at present and where it comes from.
    var help: ArgumentHelp {
        let parts = [key.description, allowed, isForOthers ? nil : "[\(present)]"]
        return ArgumentHelp(parts.compactMap(\.self).joined(separator: " "))
    }

    /// Whether the help goes into a script of completions or a manual, which others have, and where the settings of
    /// whoever makes it have no place.
    private var isForOthers: Bool {
        CommandLine.arguments.dropFirst().contains { word in
            ["--generate-completion-script", "--experimental-dump-help"].contains { word.hasPrefix($0) }
        }
    }

    private var allowed: String? {
        if let values = key.allowedValues { return "(values: \(values.joined(separator: ", ")))" }
        return key.allowedRange.map { "(\($0.lowerBound) to \($0.upperBound))" }
    }

    private var present: String {
        let used = key.suite.explain(forKey: key.name)
            .filter { $0.outcome == .applies || $0.outcome == .combined }
        guard let first = used.first else { return "not set" }
        var places: [String] = []
        for place in used.map(\.locationInHelp) where !places.contains(place) { places.append(place) }
        return "\(shown(first)), \(places.joined(separator: " and "))"
    }

    private func shown(_ explanation: DefaultsExplanation) -> String {
        if explanation.isSecret { return "(secret)" }
        let isWhole = explanation.outcome == .applies
        let value = isWhole ? explanation.text.flatMap(value(ofJSON:)) : key.suite.value(forKey: key.name)
        return onOneLine(value.map { $0.string ?? $0.description } ?? explanation.text ?? "")
    }

    /// Returns a text that cannot write over others on a terminal, and not more of it than one takes in.
    private func onOneLine(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(41)
        let clean = start.prefix(40).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(clean)) + (start.count > 40 ? "..." : "")
    }
}

extension DefaultsExplanation {
    /// Where a value is, in a few words.
    fileprivate var locationInHelp: String {
        switch location {
        case .file(let path, _, _), .journal(let path):
            "\(domain == .managed ? "locked by" : "from") \(path.split(separator: "/").last ?? "")"
        case .argument: "from the command line"
        case .variable(let name): "from \(name)"
        case .source(let name, _, _), .lastKnown(let name, _, _):
            domain == .managed ? "locked by \(name)" : "from \(name)"
        case .registration, .declaration: "the default"
        case .memory: "from memory"
        }
    }
}
