import Foundation
package import Testing

/// How much the tests try that enumerate or soak: `TYPEDDEFAULTS_SOAK` in the environment.
///
/// Without it a part, so that `swift test` is soon over; 1 is all, as in `.ci/run`, and more a soak.
package enum Soak {
    private static let given = ProcessInfo.processInfo.environment["TYPEDDEFAULTS_SOAK"].flatMap(Int.init)

    /// Whether all is tried.
    package static let isWhole = given != nil

    /// How many times all is tried.
    package static let factor = given ?? 1

    /// A number of rounds, multiplied.
    package static func times(_ count: Int) -> Int { count * factor }

    /// The same of rounds that take long: a fifth where not all is tried, and one at least.
    package static func part(of count: Int) -> Int { isWhole ? times(count) : max(1, count / 5) }

    /// How long the soak of `SoakTests` goes on at the least: `TYPEDDEFAULTS_SOAK_SECONDS` in the environment.
    package static let atLeast = Duration.seconds(
        ProcessInfo.processInfo.environment["TYPEDDEFAULTS_SOAK_SECONDS"].flatMap(Int.init) ?? 0)

    /// Says in a long run how much was tried.
    package static func note(_ line: String) {
        guard factor > 1 || atLeast > .zero else { return }
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs where all is tried, since it takes many seconds in a debug build.
    package static var whole: ConditionTrait {
        .enabled(if: Soak.isWhole, "TYPEDDEFAULTS_SOAK=1 runs it")
    }
}
