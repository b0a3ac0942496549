import ArgumentParser
import DefaultsStore

/// `dump`: what is stored, as JSON.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what is stored, as one JSON object.",
        discussion: """
            What is stored alone, in the order of the file, without its comments; \"load\" takes it again. \"read --json\" \
            prints the effective values instead.
            """)

    @OptionGroup var place: PlaceOptions

    func run() throws { try Output.json(.object(try place.existing().storedObject())) }
}
