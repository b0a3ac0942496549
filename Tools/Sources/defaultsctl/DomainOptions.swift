import ArgumentParser
import DefaultsStore

/// The domains that a program adds to its suite, so that the tool sees what the program sees.
struct DomainOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Look into the environment too, as a program with this prefix does: with APP_, $APP_VOLUME answers for volume.",
            valueName: "prefix"))
    var environment: String?

    @Option(
        help: ArgumentHelp(
            "The administrator's file, in place of /etc/xdg/<suite>/managed.json.", valueName: "path"),
        completion: .file(extensions: ["json"]), transform: PathText.file)
    var managed: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file of default values, which answer where nothing else does.", valueName: "path"),
        completion: .file(extensions: ["json"]), transform: PathText.file)
    var defaults: String?

    @Flag(
        help: ArgumentHelp(
            "The defaults in the system's folders too, as a program with addSystemDefaults() sees them: "
                + "defaults.json and defaults.d/*.json in /etc/<suite>, $XDG_CONFIG_DIRS/<suite>, /run/<suite>, "
                + "/usr/local/lib/<suite> and /usr/lib/<suite>."))
    var systemDefaults = false

    /// Adds the domains to a suite.
    ///
    /// - Returns: the file of default values, where one is named.
    @discardableResult func add(to suite: DefaultsSuite) throws -> DefaultsFile? {
        if let managed {
            // For a program it is none where it is missing, but here a person has named it.
            guard try System.status(managed) != nil else {
                throw Failure(.noSuchSuite, "there is no file \(managed)")
            }
            try suite.setManagedFile(managed)
        }
        if let environment { suite.addEnvironment(prefix: environment) }
        if systemDefaults { try suite.addSystemDefaults() }
        guard let defaults else { return nil }
        let file = try DefaultsFile(defaults)
        suite.register(defaults: Dictionary(file.members.map { ($0.key, $0.value) }) { _, last in last })
        return file
    }
}
