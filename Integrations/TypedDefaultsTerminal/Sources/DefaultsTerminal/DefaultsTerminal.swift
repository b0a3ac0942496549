import Dispatch
@_spi(TypedDefaults) public import DefaultsStore
public import TypedDefaults

/// A settings screen for the terminal, which any program can offer.
///
/// ```swift
/// extension Defaults.Keys {
///     static let volume = Key<Double>(
///         "volume", default: 0.5, validation: .range(0...1), description: "How loud it plays.")
/// }
///
/// func settings() async throws {
///     Defaults.declare(.volume)
///     try await DefaultsTerminal.run(.standard, keys: .all)
/// }
/// ```
public enum DefaultsTerminal {
    /// Which keys a screen shows.
    public struct Keys: Sendable, ExpressibleByArrayLiteral {
        /// Nil for all.
        let keys: [Defaults.AnyKey]?

        /// The declared keys of the suite, by name, and whatever else is stored.
        ///
        /// A `static let` is declared when it is first used; `Defaults.declare(_:)` declares several.
        public static let all = Keys(keys: nil)

        private init(keys: [Defaults.AnyKey]?) { self.keys = keys }

        /// These keys, in this order: `[.volume, .theme]`.
        public init(arrayLiteral keys: Defaults.AnyKey...) { self.init(keys: keys) }
    }

    /// Why a screen could not be shown, or not any longer.
    public struct Failure: Error, Hashable, CustomStringConvertible {
        /// The reason, open to growth: a `switch` needs a `default`.
        public struct Code: Hashable, Sendable {
            private enum Reason { case noTerminal, alreadyRunning, terminalLost, ended }
            private let reason: Reason
            /// Standard input or output is no terminal on which the cursor can be moved.
            public static let noTerminal = Code(reason: .noTerminal)
            /// Another screen of this process is shown.
            public static let alreadyRunning = Code(reason: .alreadyRunning)
            /// The terminal is gone.
            ///
            /// What was in the draft is not stored.
            public static let terminalLost = Code(reason: .terminalLost)
            /// A signal that ends programs has come, and the program has stayed.
            ///
            /// What was in the draft is not stored.
            public static let ended = Code(reason: .ended)
        }

        /// What a caller can branch on.
        public let code: Code
        /// What has happened, as a clause.
        public let description: String

        init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }
    }

    /// Shows the settings of a suite until somebody leaves the screen.
    ///
    /// What is changed there goes into a draft, which is stored in one transaction when it is applied. Changes by others show
    /// as they happen. The terminal is as before when this returns or throws, and when a signal ends the program meanwhile.
    ///
    /// The task is suspended meanwhile, and a thread of its own sleeps until there is something to do. `suite.onFailure`
    /// still gets the failures, which are shown, too.
    ///
    /// - Throws: ``Failure``; `CancellationError` if the task is cancelled.
    public static func run(_ suite: DefaultsSuite = .standard, keys: Keys = .all) async throws {
        let session = Session(suite) { () throws(DefaultsError) in try settings(of: keys, in: suite) }
        let cancel = session.canceller
        // Sound because the session is handed over whole: only the closure of its thread uses it from here on.
        nonisolated(unsafe) let handedOver = session
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A thread of its own, because it waits for the terminal most of the time.
                DispatchQueue(label: "settings screen").async {
                    continuation.resume(with: Result { try handedOver.run() })
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The same on the calling thread, which sleeps until there is something to do; then nothing else of the program runs.
    ///
    /// - Throws: ``Failure``.
    @_spi(TypedDefaults)
    public static func runBlocking(_ suite: DefaultsSuite) throws {
        try runBlocking(suite) { () throws(DefaultsError) in try settings(of: .all, in: suite) }
    }

    /// The same with settings that no key is declared for.
    ///
    /// - Parameter settings: returns them, whenever there may be others.
    /// - Throws: ``Failure``.
    @_spi(TypedDefaults)
    public static func runBlocking(
        _ suite: DefaultsSuite, settings: @escaping () throws(DefaultsError) -> [Setting]
    ) throws {
        try Session(suite, settings: settings).run()
    }

    private static func settings(of keys: Keys, in suite: DefaultsSuite) throws(DefaultsError) -> [Setting] {
        guard let chosen = keys.keys else {
            let declared = suite.declaredKeys
            let known = Set(declared.map(\.name))
            let others = stored(in: suite).filter { !known.contains($0) }
            return (declared.map(Setting.init) + others.map { Setting(undeclared: $0, in: suite) }).sorted {
                $0.name < $1.name
            }
        }
        for key in chosen { Defaults.declare(key, in: suite) }
        let declared = Dictionary(
            suite.declaredKeys.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return chosen.compactMap { declared[$0.name].map(Setting.init) }
    }

    /// The names of what is stored; none where the file cannot be read, which the screen says.
    private static func stored(in suite: DefaultsSuite) -> [String] {
        let members: DefaultsObject
        do { members = try suite.storedObject() } catch { return [] }
        let others = [
            DefaultsSuite.schemaKey, DefaultsSuite.migrationsKey, DefaultsSuite.migrationListsKey,
            DefaultsSuite.historyKey,
        ]
        return members.map(\.key).filter { !others.contains($0) }
    }
}
