/// Builds the list of `SettingsContainer.register`: one setting per line, with `if`, `else`, `for` and lists.
@resultBuilder
public enum SettingsBuilder {
    /// Takes one setting.
    public static func buildExpression(_ setting: SettingConfiguration) -> [SettingConfiguration] {
        [setting]
    }

    /// Takes a list of settings.
    public static func buildExpression(_ settings: [SettingConfiguration]) -> [SettingConfiguration] {
        settings
    }

    /// Joins the lines of a block.
    public static func buildBlock(_ settings: [SettingConfiguration]...) -> [SettingConfiguration] {
        settings.flatMap(\.self)
    }

    /// Takes an `if` without an `else`.
    public static func buildOptional(_ settings: [SettingConfiguration]?) -> [SettingConfiguration] {
        settings ?? []
    }

    /// Takes the first branch of a condition.
    public static func buildEither(first settings: [SettingConfiguration]) -> [SettingConfiguration] {
        settings
    }

    /// Takes the other branch of a condition.
    public static func buildEither(second settings: [SettingConfiguration]) -> [SettingConfiguration] {
        settings
    }

    /// Joins the rounds of a loop.
    public static func buildArray(_ settings: [[SettingConfiguration]]) -> [SettingConfiguration] {
        settings.flatMap(\.self)
    }

    /// Takes an `if #available`.
    public static func buildLimitedAvailability(
        _ settings: [SettingConfiguration]
    ) -> [SettingConfiguration] { settings }
}
