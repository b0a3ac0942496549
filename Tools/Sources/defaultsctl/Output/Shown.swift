import DefaultsStore

/// Values and causes in words.
enum Shown {
    /// A value by itself: a text without quotes, anything else as JSON.
    static func plain(_ value: DefaultsValue) -> String {
        guard case .string(let text) = value else {
            return JSONText.indented(value, colour: Output.hasColour)
        }
        return self.text(text)
    }

    /// A text or a path: safe to look at on a terminal, byte for byte where a program reads it.
    static func text(_ text: String) -> String { Output.isTerminal ? SafeText.escaped(text) : text }

    /// A value in a line with others.
    static func inLine(_ value: DefaultsValue?) -> String { value.map(JSONText.oneLine) ?? "(none)" }

    /// What made a value change.
    static func cause(_ change: DefaultsChange) -> String {
        change.isInitial ? "now" : "\(change.cause)"
    }

    /// The same for scripts.
    static func causeName(_ change: DefaultsChange) -> String {
        if change.isInitial { return "initial" }
        return switch change.cause {
        case .thisProcess: "thisProcess"
        case .otherProcess: "otherProcess"
        case .fileEdited: "fileEdited"
        case .defaultsChanged: "defaultsChanged"
        }
    }
}
