@_spi(TypedDefaults) @testable import DefaultsTerminal
import DefaultsStore

/// A model of some settings, whose effects are carried out on a suite in memory as the session does it.
extension Model {
    /// - Parameter names: of settings that are numbers, 0 by default.
    static func of(_ names: [String], columns: Int = 80, rows: Int = 24) -> Model {
        var model = Model(title: "player", size: Screen.Size(columns: columns, rows: rows))
        _ = model.handle(.settings(names.map { Model.Row.number($0) }))
        return model
    }

    /// Presses keys: a character is itself, the others are spelled.
    @discardableResult
    mutating func press(_ keys: KeyPress...) -> [Effect] { keys.flatMap { handle(.key($0)) } }

    @discardableResult
    mutating func type(_ text: String) -> [Effect] { text.flatMap { handle(.key(.character($0))) } }

    var text: String { screen().text }
    /// The row of messages and of what is typed.
    var prompt: String { screen().lines[size.rows - 2].text }
    var selectedName: String? { selected?.setting.name }
}

extension Model.Row {
    static func number(
        _ name: String, choices: [String] = [], isSecret: Bool = false, description: String? = nil
    ) -> Model.Row {
        let setting = Setting(
            name: name, description: description, kind: "a number", choices: choices, rule: "0 to 9",
            standard: 0,
            isSecret: isSecret
        ) { _ in .refused("never asked") }
        return Model.Row(setting, SettingState(of: setting, in: .inMemory()))
    }
}

extension SettingState {
    /// The state of a number that is stored.
    static func stored(_ value: Int, _ name: String = "volume", managed: Bool = false) -> SettingState {
        let suite = DefaultsSuite.inMemory()
        do { try suite.set(value, forKey: name) } catch { preconditionFailure("\(error)") }
        return SettingState(of: Model.Row.number(name).setting, in: suite)
    }
}
