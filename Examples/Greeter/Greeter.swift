import Foundation
import TypedDefaults

/// What the program does, a function for each command.
struct Greeter {
    private let suite = DefaultsSuite.standard
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    func run() async throws {
        Defaults.declare(.greeting, .whom, .times, .shout, .config, .explain)
        suite.onFailure = { complain("\($0)") }
        suite.addEnvironment(prefix: "GREETER_")
        switch arguments.first {
        case "set" where arguments.count == 3:
            try await readFactoryDefaults()
            try set(arguments[1], to: arguments[2])
        case "reset" where arguments.count == 2:
            try suite.reset(setting(arguments[1]).key)
        case let word where word?.hasPrefix("-") ?? true:
            try checkOptions()
            suite.addArguments(arguments)
            try checkValues()
            try await readFactoryDefaults()
            if let name = Defaults[.explain] { try explain(name) } else { greet() }
        default:
            throw Misuse(
                "usage: greeter [--KEY VALUE]... [--explain KEY] | set KEY VALUE | reset KEY, where KEY is one of "
                    + Setting.all.map(\.key.name).joined(separator: ", "))
        }
    }

    private func greet() {
        let text = "\(Defaults[.greeting]), \(Defaults[.whom])!"
        for _ in 0..<Defaults[.times] { print(Defaults[.shout] ? text.uppercased() : text) }
    }

    /// The file that somebody names has to be there; the one beside the program need not.
    private func readFactoryDefaults() async throws {
        let beside = Bundle.main.bundleURL.appending(path: "greeter.json").path
        if let path = Defaults[.config] ?? (FileManager.default.fileExists(atPath: beside) ? beside : nil) {
            try await suite.read(sources: JSONDefaultValueSource(path: path))
        }
    }

    private func set(_ name: String, to text: String) throws {
        try setting(name).store(text)
        guard let domain = suite.domain(forKey: name), domain != .stored else { return }
        complain("stored, but it does not count as long as there is one above it:")
        try explain(name)
    }

    private func explain(_ name: String) throws {
        let key = try setting(name).key
        for line in suite.explain(forKey: key.name) { print(line) }
    }

    private func setting(_ name: String) throws -> Setting {
        guard let setting = Setting.all.first(where: { $0.key.name == name }) else {
            throw Misuse("there is no setting \"\(name)\"")
        }
        return setting
    }

    /// The library takes the options it knows and leaves the others to somebody else; here nobody else is.
    private func checkOptions() throws {
        let names = Set(suite.declaredKeys.map(\.name))
        for option in arguments where option.hasPrefix("--") {
            let name = option.dropFirst(2).prefix { $0 != "=" }
            guard names.contains(String(name)) else { throw Misuse("there is no option --\(name)") }
        }
    }

    /// A variable that cannot be used is only complained of, since it may be meant for another program; what somebody has
    /// just typed is refused.
    private func checkValues() throws {
        guard let problem = suite.problems().first(where: { $0.domain == .arguments }) else { return }
        throw Misuse("--\(problem.key ?? ""): \(problem.reason)")
    }
}

/// Says on standard error what is wrong.
func complain(_ text: String) {
    FileHandle.standardError.write(Data("greeter: \(text)\n".utf8))
}
