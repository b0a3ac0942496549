import ArgumentParser
import DefaultsStore

/// `edit`: the settings file in an editor.
struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Edit the settings file in $VISUAL or $EDITOR.",
        discussion: """
            You edit a copy. It takes the file's place only when it is a settings file; on a mistake you are told where, \
            and may edit again, or your copy is kept. What others have written meanwhile stays; where they have changed \
            the same keys as you, you are asked, and without a terminal your copy is kept and the exit status is 75.
            """)

    @OptionGroup var place: PlaceOptions

    func run() throws {
        let session = try EditSession(place.any(readOnly: false))
        try session.run()
    }
}
