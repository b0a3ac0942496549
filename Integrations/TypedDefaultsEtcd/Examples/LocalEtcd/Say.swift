import Foundation

/// Prints one line in one piece and at once, whichever thread says it and wherever it goes.
package func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Ends this program with a word on standard error.
package func end(_ reason: String) -> Never {
    FileHandle.standardError.write(Data((reason + "\n").utf8))
    exit(EXIT_FAILURE)
}
