import ArgumentParser
import DefaultsStore

/// `watch`: prints changes as they happen.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print each change of a key, or of all keys, until interrupted.",
        discussion: """
            A line has the time, the key, the value before and after, and who changed it. With --json it is an object \
            with time, key, old, new, cause, and process where it is known; old or new is left out where there is no value.
            It ends when nobody reads its output any more.

            With --wait a suite that is not there yet is waited for, and nothing is made by that. What it has when it comes \
            is printed first, as with --initial.
            """)

    @Argument(help: "The key; without one, all are watched.", completion: .custom(Completion.keys))
    var key: String?

    @Option(name: [.short, .long], help: ArgumentHelp("End after so many changes.", valueName: "n"))
    var count: Int?

    @Flag(name: [.short, .long], help: "Print the present values first; they are not counted.")
    var initial = false

    @Flag(name: [.short, .long], help: "Wait for a suite that is not there yet.")
    var wait = false

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count has to be at least 1.") }
    }

    func run() throws {
        Warnings.holdNoLonger()
        let hasWaited = try wait && place.waitUntilThere() == .hasCome
        let suite = try place.existing(orElse: "--wait waits for it")
        // What may not be used now is told at once, as by "read"; a broken file may be mended while it is watched.
        do { _ = try suite.storedObject() } catch {
            guard error.code == .malformedFile else { throw error }
        }
        try domains.add(to: suite)
        let log = try ChangeLog(isJSON: output.json, limit: count, hidden: secrets.hidden(in: suite))
        let options: DefaultsObservationOptions =
            initial || hasWaited ? [.initial, .old, .new] : [.old, .new]
        let observation =
            if let key {
                suite.observe(forKey: key, options: options) { log.add([$0]) }
            } else {
                suite.observeAll(options: options) { changes in
                    log.add(changes.filter { DefaultsSuite.isSetting($0.key) })
                }
            }
        defer { observation.invalidate() }
        try log.waitForEnd()
    }
}
