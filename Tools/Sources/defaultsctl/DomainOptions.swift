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
        completion: .file(extensions: ["json"]), transform: PathText.path)
    var managed: String?

    @Option(
        help: ArgumentHelp(
            "A JSON file of default values, which answer where nothing else does.", valueName: "path"),
        completion: .file(extensions: ["json"]), transform: PathText.path)
    var defaults: String?

    /// Adds the domains to a suite.
    func add(to suite: DefaultsSuite) throws {
        if let managed { try suite.setManagedFile(managed) }
        if let environment { suite.addEnvironment(prefix: environment) }
        if let defaults {
            let members = try InputText.object(from: defaults)
            suite.register(defaults: Dictionary(members.map { ($0.key, $0.value) }) { _, last in last })
        }
    }
}
