import ArgumentParser
import DefaultsStore

/// Whether secrets are shown.
struct RevealOptions: ParsableArguments {
    @Flag(help: "Show the values too that the settings' schema calls writeOnly: secrets.")
    var reveal = false

    /// The values of a suite that are not to be shown.
    func hidden(in suite: DefaultsSuite) -> HiddenValues { reveal ? .none : HiddenValues(of: suite) }

    /// Those that a schema which stands in for the named one hides, too.
    func hidden(by schema: Schema, in suite: DefaultsSuite) -> HiddenValues {
        reveal ? .none : HiddenValues(of: suite, and: schema)
    }

    /// Those of its versions that are not to be shown.
    func hidden(inVersionsOf suite: DefaultsSuite) throws -> HiddenValues {
        try reveal ? .none : HiddenValues(ofVersionsOf: suite)
    }
}
