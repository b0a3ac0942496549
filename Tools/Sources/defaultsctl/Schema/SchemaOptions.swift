import ArgumentParser
import DefaultsStore

/// The schema that a command needs.
struct SchemaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A JSON Schema of the settings, in place of that which they name.", valueName: "path"),
        completion: .file(extensions: ["json"]), transform: PathText.file)
    var schema: String?

    /// The schema.
    ///
    /// - Throws: `.noSuchSuite` if there is none.
    func schema(of suite: DefaultsSuite) throws -> Schema {
        if let schema { return try Schema(file: schema) }
        switch NamedSchema(suite: suite).lookUp() {
        case .found(let schema): return schema
        case .none:
            throw Failure(
                .noSuchSuite,
                "the settings name no schema; a program writes one with writeSchema(of:addsReference:), and --schema names a "
                    + "file")
        case .elsewhere:
            throw Failure(.noSuchSuite, "the schema is not a file of this machine; --schema names a copy")
        case .unusable(let reason): throw Failure(.unusableInput, reason)
        }
    }
}
