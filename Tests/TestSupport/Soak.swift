import Foundation

/// How much longer than usual the long tests go on: `TYPEDDEFAULTS_SOAK` in the environment, else 1.
package enum Soak {
    /// The factor.
    package static let factor =
        ProcessInfo.processInfo.environment["TYPEDDEFAULTS_SOAK"].flatMap(Int.init) ?? 1

    /// A number of rounds, multiplied.
    package static func times(_ count: Int) -> Int { count * factor }

    /// How long the soak of `SoakTests` goes on at the least: `TYPEDDEFAULTS_SOAK_SECONDS` in the environment.
    package static let atLeast = Duration.seconds(
        ProcessInfo.processInfo.environment["TYPEDDEFAULTS_SOAK_SECONDS"].flatMap(Int.init) ?? 0)

    /// Says in a long run how much was tried.
    package static func note(_ line: String) {
        guard factor > 1 || atLeast > .zero else { return }
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
