/// The domains as arguments of tests: each can be given a value for a key, and have it taken away.
@testable import DefaultsStore
import TestSupport
import Testing

/// One place a value can come from, highest first.
enum Domain: String, CaseIterable, Comparable, CustomTestStringConvertible {
    case managed, arguments, environment, transient, stored, layer, registered

    var testDescription: String { rawValue }

    static func < (left: Domain, right: Domain) -> Bool { left.rank > right.rank }

    private var rank: Int { Domain.allCases.firstIndex(of: self) ?? 0 }

    /// Every two of them, the higher one first.
    static let pairs = allCases.flatMap { high in
        allCases.filter { $0 < high }.map { Pair(high: high, low: $0) }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let high: Domain
        let low: Domain
        var testDescription: String { "\(high) above \(low)" }
    }

    /// What the suite calls it.
    var domain: DefaultsDomain {
        switch self {
        case .managed: .managed
        case .arguments: .arguments
        case .environment: .environment
        case .transient: .transient
        case .stored: .stored
        case .layer, .registered: .registered
        }
    }

    /// What an observer hears as the cause of a change here.
    var cause: DefaultsChange.Cause {
        switch self {
        case .managed: .fileEdited
        case .arguments, .environment, .transient, .stored: .thisProcess
        case .layer: .defaultsChanged("source")
        case .registered: .defaultsChanged("register(defaults:)")
        }
    }

    /// Gives the key `a` a whole number in this domain; an administrator's file is written into the folder.
    func set(_ number: Int, in suite: DefaultsSuite, _ folder: TemporaryFolder) throws {
        switch self {
        case .managed:
            try folder.write("{\"a\": \(number)}", to: "managed/managed.json")
            try suite.setManagedFile("\(folder.path)/managed/managed.json")
        case .arguments: suite.addArguments(["--a", "\(number)"])
        case .environment: suite.addEnvironment(prefix: "APP_", in: ["APP_A": "\(number)"])
        case .transient: try suite.setTransient(DefaultsValue(number), forKey: "a")
        case .stored: try suite.set(DefaultsValue(number), forKey: "a")
        case .layer: suite.context.setLayer("source", values: ["a": DefaultsValue(number)], location: nil)
        case .registered: suite.register(defaults: ["a": DefaultsValue(number)])
        }
    }
}
