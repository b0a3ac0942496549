public import ArgumentParser
import Synchronization
public import TypedDefaults

extension Option where Value: Sendable {
    /// Makes a key an option: its name, help, parsing and validation are the key's.
    ///
    /// ```swift
    /// struct Play: ParsableCommand {
    ///     @Option(.volume) var volume
    /// }
    /// ```
    ///
    /// What is given stands in the arguments domain of the key's suite from then on, so that observers hear of it, and
    /// `Defaults[.volume]`, the property and `explain(forKey:)` agree. The property is what counted when the command was
    /// parsed, whether or not the option was given.
    ///
    /// A value that cannot be used, such as one that a person has stored, is reported a second later, or when the program
    /// ends, unless it is corrected or hidden by then: a command that corrects it does not complain of it.
    ///
    /// A list is given once for each element, or as JSON. A `Bool` needs a text here; ``DefaultsOptions`` has flags. A text
    /// that does not fit, and any text for a key that an administrator has locked, is a usage error.
    ///
    /// - Precondition: the key is not secret, since ArgumentParser repeats a text that does not fit; a secret belongs
    ///   into ``DefaultsOptions``.
    /// - Parameters:
    ///   - name: other names; nil for two dashes and the name of the key, `--api-token` for `apiToken`.
    ///   - parsing: what is a value, as of any option.
    public init(
        _ key: Defaults.Key<Value>, name: NameSpecification? = nil,
        parsing: SingleValueParsingStrategy = .next
    ) {
        precondition(
            !key.isSecret, "the key \"\(key.name)\" is secret: list it in DefaultsOptions instead")
        let option = KeyOption(key)
        let given = GivenTexts()
        self.init(
            wrappedValue: LateReading.value(of: key), name: name ?? option.name, parsing: parsing,
            help: option.help,
            completion: option.completion
        ) { text in
            try option.take(given.adding(text))
        }
    }
}

/// What has been given of one option so far, in one parsing.
private final class GivenTexts: Sendable {
    private let texts = Mutex<[String]>([])  // A leaf; nothing is called under it.

    /// Adds a text, and returns all.
    func adding(_ text: String) -> [String] {
        texts.withLock { texts in
            texts.append(text)
            return texts
        }
    }
}
