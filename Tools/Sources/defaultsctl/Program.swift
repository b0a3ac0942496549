import ArgumentParser
import DefaultsStore

/// Runs the command line, and turns whatever goes wrong into one line on standard error and an exit status.
@main enum Program {
    static func main() {
        System.fillStandardFiles()
        do {
            try System.checkArguments()
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

    private static func end(_ failure: Failure) -> Never {
        if let message = failure.message { Output.complain(message) }
        Defaultsctl.exit(withError: ExitCode(failure.status.rawValue))
    }
}
