import ArgumentParser
import DefaultsStore

/// `path`: where the settings file is.
struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the path of the settings file, whether or not it is there.")

    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let path = try place.any(readOnly: true).path ?? ""
        guard output.json else { return try Output.line(Shown.text(path)) }
        try Output.json(.members(["path": .string(path), "exists": .bool(try System.status(path) != nil)]))
    }
}
