/// Commands that are parsed of a list, as the tests of a tool do.
import ArgumentParser
import Testing
import TypedDefaults
import TypedDefaultsArgumentParser

private let chapel = DefaultsSuite.inMemory()

extension Defaults.Keys {
    fileprivate static let plugins = Key<[String]>(
        "plugins", default: ["core"], suite: chapel, merge: .union, description: "What takes part.")
    fileprivate static let limits = OptionalKey<[String: Int]>("limits", suite: chapel)
    fileprivate static let voices = OptionalKey<[String]>("voices", suite: chapel)
    fileprivate static let pauses = OptionalKey<Set<Int>>("pauses", suite: chapel)
    fileprivate static let loud = Key<Bool>("loud", default: false, suite: chapel)
}

private enum Common: DefaultsOptionKeys { static let keys = DefaultsOptionList(.loud, .pauses) }

private struct Choir: ParsableCommand {
    static let configuration = CommandConfiguration(subcommands: [Sing.self])
    @OptionGroup var common: DefaultsOptions<Common>
}

private struct Sing: ParsableCommand {
    @OptionGroup var common: DefaultsOptions<Common>
    @Option(.plugins) var plugins
    @Option(.limits) var limits
    @Option(.voices) var voices
}

@Suite struct ParsingTests {
    @Test
    func
        `what a list gives counts, combined with other domains, and a group may be a command's and its parent's`()
        throws
    {
        let choir = try Choir.parseAsRoot(["--loud", "sing", "--plugins", "echo", "--limits", #"{"low": 1}"#])
        let sing = try #require(choir as? Sing)
        #expect(sing.plugins == chapel[.plugins] && Set(sing.plugins) == ["core", "echo"])
        #expect(sing.limits == ["low": 1] && chapel[.limits] == ["low": 1])
        #expect(chapel[.loud] && chapel.domain(forKey: "loud") == .arguments)
        let help = Choir.helpMessage(for: Sing.self, columns: 200)
        #expect(
            help.contains("What takes part. [[\"core\", \"echo\"], from the command line and the default]"))
        #expect(help.contains(#"[{"low": 1}, from the command line]"#))
        let error = #expect(throws: (any Error).self) { try Choir.parseAsRoot(["sing", "--limits", "low"]) }
        #expect(
            error.map { Choir.message(for: $0) }
                == "The value 'low' is invalid for '--limits <limits>': expected an object, found a string"
        )
    }

    @Test func `a list that may be absent is given by its elements or as JSON too`() throws {
        let some = try #require(
            try Choir.parseAsRoot([
                "sing", "--voices", "alto", "--voices", #"["bass"]"#, "--pauses", "4", "--pauses", "8",
            ]) as? Sing)
        #expect(some.voices == ["alto", "bass"] && chapel[.voices] == ["alto", "bass"])
        #expect(chapel[.pauses] == [4, 8])
    }
}
