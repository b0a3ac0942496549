import ArgumentParser
import DefaultsStore

/// `delete`: removes stored values.
struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove the stored values of keys, all or none of them.",
        discussion:
            "Where a key is not stored, nothing is removed and the exit status is 1; --force removes the others."
    )

    @Argument(help: "The keys.", completion: .custom(Completion.keys))
    var keys: [String]

    @Flag(name: [.customShort("F"), .long], help: "Do not mind keys that are not stored.")
    var force = false

    @OptionGroup var place: PlaceOptions

    func run() throws {
        let suite = try place.existing(readOnly: false)
        try suite.withTransaction { transaction in
            let stored = try suite.storedObject()
            for key in keys {
                guard stored[key] != nil || force else {
                    throw Failure(
                        .noSuchKey,
                        "\(SafeText.name(key)) is not stored, so nothing was removed"
                            + Nearest.hint(key, among: stored.map(\.key)))
                }
                transaction.removeValue(forKey: key)
            }
        }
    }
}
