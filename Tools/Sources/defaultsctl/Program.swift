import ArgumentParser
import DefaultsStore

/// Runs the command line, and turns whatever goes wrong into one line on standard error and an exit status.
@main enum Program {
    static func main() {
        System.fillStandardFiles()
        do {
            try System.checkArguments()
            try checkCommand()
            var command = try Defaultsctl.parseAsRoot()
            try command.run()
            Warnings.showHeld()
        } catch let failure as Failure {
            Warnings.showHeld()
            end(failure)
        } catch let error as DefaultsError {
            Warnings.showHeld(except: error)
            end(Failure(error))
        } catch {
            Defaultsctl.exit(withError: BashCompletion.completed(error))
        }
    }

    /// Names a command that there is not; the parser would complain of what stands behind it.
    private static func checkCommand() throws {
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-") else { return }
        let names = Defaultsctl.configuration.subcommands.map { $0._commandName }
        guard word != "help", !names.contains(word) else { return }
        let hint = Nearest.hint(word, among: names)
        throw Failure(
            .usage,
            "there is no command \(SafeText.name(word))" + (hint.isEmpty ? "; --help lists them" : hint))
    }

    private static func end(_ failure: Failure) -> Never {
        if let message = failure.message { Output.complain(message) }
        Defaultsctl.exit(withError: ExitCode(failure.status.rawValue))
    }
}
