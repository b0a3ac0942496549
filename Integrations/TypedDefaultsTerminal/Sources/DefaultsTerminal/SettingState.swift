import DefaultsStore

/// What applies for a setting at one moment, and where it comes from.
struct SettingState: Equatable {
    /// The value on one line; nil if there is none.
    let value: String?
    /// The value to begin editing with.
    let typed: String
    /// Where the value comes from, in a word or two.
    let origin: String
    /// Whether it comes from elsewhere than a default.
    let isChanged: Bool
    /// Whether a value is in the settings file.
    let isStored: Bool
    /// Why nobody can change it; nil if one can.
    let lock: String?
    /// Why the stored value is not used; nil if it is.
    let refusal: String?
    /// What each domain has.
    let explanations: [Explanation]

    struct Explanation: Equatable {
        let domain: String
        let text: String
        let place: String
        let outcome: String
        let applies: Bool
    }

    static let hidden = "(secret)"

    /// A path as people write it: what is in the home folder from there.
    static func fromHome(_ path: String) -> String {
        guard let home = Terminal.variable("HOME"), home.hasPrefix("/"), path.hasPrefix(home + "/") else {
            return path
        }
        return "~" + path.dropFirst(home.count)
    }

    /// Reads the state of a setting.
    init(of setting: Setting, in suite: DefaultsSuite) {
        let all = suite.explain(forKey: setting.name)
        let isSecret = setting.isSecret || suite.isSecret(forKey: setting.name)
        let used = all.first { $0.outcome == .applies || $0.outcome == .combined }
        let effective = used == nil ? nil : suite.value(forKey: setting.name)
        let shown = effective ?? setting.standard
        value = isSecret ? used.map { _ in SettingState.hidden } : shown?.typed
        typed = isSecret ? "" : shown?.typed ?? ""
        origin = used?.origin ?? (setting.standard == nil ? "not set" : "default")
        isChanged = used.map { $0.domain != .registered } ?? false
        isStored = all.contains { $0.domain == .stored }
        lock = all.first { $0.domain == .managed }.map { "locked by \($0.location)" }
        refusal = all.first { $0.domain == .stored }.flatMap { stored in
            if case .refused = stored.outcome { "the stored value is \(stored.outcome)" } else { nil }
        }
        explanations = all.map { explanation in
            Explanation(
                domain: "\(explanation.domain)",
                text: isSecret ? SettingState.hidden : explanation.text ?? "(no value)",
                place: explanation.place, outcome: "\(explanation.outcome)",
                applies: explanation.outcome == .applies || explanation.outcome == .combined)
        }
    }
}

extension DefaultsExplanation {
    /// Where it is; what is in the journal will be in the file in a moment.
    fileprivate var place: String {
        if case .journal(let path) = location { return SettingState.fromHome(path) }
        return SettingState.fromHome("\(location)")
    }

    fileprivate var origin: String {
        switch location {
        case .file(let path, _, _), .journal(let path): String(path.split(separator: "/").last ?? "file")
        case .argument(_, let flag): flag
        case .variable(let name): "$" + name
        case .source(let name, _, _), .lastKnown(let name, _, _): name
        case .registration, .declaration: "default"
        case .memory: "this program"
        }
    }
}
