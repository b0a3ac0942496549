import ArgumentParser
import DefaultsStore

/// `dump`: what is stored, as JSON.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what is stored, as one JSON object.",
        discussion: """
            What is stored alone, in the order of the file, without its comments; \"load\" takes it again. \"read --json\" \
            prints the effective values instead. What the schema calls writeOnly is left out, and \"load --replace\" leaves it \
            where it is; a backup that is to have it too needs --reveal.
            """)

    @OptionGroup var place: PlaceOptions
    @OptionGroup var secrets: RevealOptions

    func run() throws {
        let suite = try place.existing()
        let stored = try suite.storedObject()
        let hidden = secrets.hidden(in: suite)
        hidden.note(stored.map(\.key))
        try Output.json(.object(DefaultsObject(stored.filter { !hidden.hides($0.key) })))
    }
}
