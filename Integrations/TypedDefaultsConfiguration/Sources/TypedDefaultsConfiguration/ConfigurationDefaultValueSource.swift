public import Configuration
import Synchronization
public import TypedDefaults

/// A provider of swift-configuration as a source of default values for declared keys.
///
/// The provider is asked for each key by its type: a `Double` as a double, a `Date` or a case of an enumeration by
/// strings as a string, `Data` as bytes, `[String]` as an array of strings. The key `http.port` is asked for as
/// `http.port`. Keys of other types are asked for as a text with JSON in it.
///
/// ```swift
/// extension Defaults.Keys {
///     static let volume = Key<Double>("volume", default: 0.5)
///     static let theme = Key<String>("theme", default: "light")
/// }
///
/// let source = ConfigurationDefaultValueSource(EnvironmentVariablesProvider(), keys: .volume, .theme)
/// let following = DefaultsSuite.standard.follow(source)
/// ```
///
/// The layer is one snapshot of the provider, and each change that `watchSnapshot` tells of replaces it. A value that the
/// provider cannot give as the key's type is a failure that names the key, in the suite's `failures`; the last good layer
/// stays as a whole until the provider has a good one. The same goes for a provider that throws, or that has given
/// nothing after a while, and for a value that the provider keeps secret of a key that is not declared with
/// `secret: true`.
public struct ConfigurationDefaultValueSource: LiveDefaultValueSource {
    /// The source's name, which identifies its layer in the suite.
    public let name: String
    private let provider: any ConfigProvider
    private let keys: [Defaults.AnyKey]
    private let patience: Duration

    /// Makes a provider a source of the defaults of some keys.
    ///
    /// - Parameters:
    ///   - name: the source's name; nil for the provider's. Give two sources of one provider names of their own.
    ///   - patience: after how long a provider that has given nothing yet is reported.
    public init(
        _ provider: some ConfigProvider, keys: Defaults.AnyKey..., name: String? = nil,
        patience: Duration = .seconds(30)
    ) {
        self.init(provider, keys: keys, name: name, patience: patience)
    }

    /// Makes a provider a source of the defaults of some keys.
    public init(
        _ provider: some ConfigProvider, keys: [Defaults.AnyKey], name: String? = nil,
        patience: Duration = .seconds(30)
    ) {
        self.provider = provider
        self.keys = keys
        self.patience = patience
        self.name = name ?? provider.providerName
    }

    /// Returns the provider's values of the keys now, and after each change of any of them.
    public func layerUpdates() -> AsyncStream<DefaultsLayerUpdate> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let teller = Teller(continuation)
            let following = Task {
                await follow(teller.tell)
                continuation.finish()
            }
            let clock = Task {
                do { try await Task.sleep(for: patience) } catch { return }
                teller.tellUnlessAnswered(DefaultsLayerUpdate(failures: [silence]))
            }
            continuation.onTermination = { _ in
                following.cancel()
                clock.cancel()
            }
        }
    }

    private func follow(_ tell: (DefaultsLayerUpdate) -> Void) async {
        do {
            let questions = try ConfigQuestion.questions(about: keys, to: provider)
            try await provider.watchSnapshot { snapshots in
                var told: DefaultsLayerUpdate?
                for await snapshot in snapshots {
                    let report = ConfigQuestion.update(of: snapshot, questions)
                    if report != told { tell(report) }
                    told = report
                }
            }
        } catch let error as DefaultsError {
            tell(DefaultsLayerUpdate(failures: [error]))
        } catch is CancellationError {
            // Whoever follows has stopped, and hears nothing any more.
            return
        } catch {
            let reason = "the provider has thrown \(type(of: error))"
            tell(DefaultsLayerUpdate(failures: [DefaultsError.sourceFailed(reason)]))
        }
    }

    private var silence: DefaultsError {
        DefaultsError.sourceFailed(
            "the provider has given nothing within \(patience), and is still waited for")
    }
}

/// Tells reports in an order in which a layer is never replaced by the word that there is none.
private final class Teller: Sendable {
    // A leaf; held over the telling, because otherwise the two could be told the other way round.
    private let hasAnswered = Mutex(false)
    private let continuation: AsyncStream<DefaultsLayerUpdate>.Continuation

    init(_ continuation: AsyncStream<DefaultsLayerUpdate>.Continuation) { self.continuation = continuation }

    func tell(_ report: DefaultsLayerUpdate) {
        hasAnswered.withLock { hasAnswered in
            hasAnswered = true
            _ = continuation.yield(report)
        }
    }

    func tellUnlessAnswered(_ report: DefaultsLayerUpdate) {
        hasAnswered.withLock { if !$0 { _ = continuation.yield(report) } }
    }
}

extension ConfigurationDefaultValueSource: CustomReflectable {
    /// The name and the keys: what the provider would print of itself may be all of the environment, and so is not printed.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "keys": keys.map(\.name)], displayStyle: .struct)
    }
}
