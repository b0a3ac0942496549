public import ArgumentParser
public import TypedDefaults

/// The keys of a group of options.
///
/// ```swift
/// enum PlayerSettings: DefaultsOptionKeys {
///     static let keys = DefaultsOptionList(.verbose, .token)
/// }
/// ```
public protocol DefaultsOptionKeys: Sendable {
    /// The keys, in the order of the help.
    static var keys: DefaultsOptionList { get }
}

/// Keys that are options.
public struct DefaultsOptionList: Sendable {
    let options: [ListedOption]

    /// Lists keys, of whatever types.
    public init<each Value: Sendable>(_ key: repeat Defaults.Key<each Value>) {
        var options: [ListedOption] = []
        repeat options.append(ListedOption(KeyOption(each key)))
        self.options = options
    }
}

/// Keys as options and flags: names, help, parsing and validations are the keys'.
///
/// ```swift
/// struct Play: ParsableCommand {
///     @OptionGroup var settings: DefaultsOptions<PlayerSettings>
///
///     func run() { if Defaults[.verbose] { print("at", Defaults[.volume]) } }
/// }
/// ```
///
/// A key of `Bool` is a flag, `--verbose` or `--no-verbose`; a list is given once for each element, or as JSON. What is
/// given stands in the arguments domain of the key's suite when the command has been parsed. A text that does not fit, and
/// anything for a key that an administrator has locked, is a usage error. That of a secret key has not the text in it.
public struct DefaultsOptions<Keys: DefaultsOptionKeys>: ParsableArguments {
    private var given: [[String]] = []

    /// Creates the group, of which nothing has been given.
    public init() {}

    /// Takes over what was given.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionName.self)
        given = try Keys.keys.options.map { try $0.texts(container) }
    }

    /// Puts what was given into the arguments domain.
    public mutating func validate() throws {
        for (option, texts) in zip(Keys.keys.options, given) where !texts.isEmpty { try option.take(texts) }
    }
}

extension DefaultsOptions: CustomReflectable {
    /// The options as the properties that ArgumentParser looks for, without anything that was given.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(
            self, children: Keys.keys.options.map { ("_" + $0.name, $0.makeWrapper()) }, displayStyle: .struct
        )
    }
}

/// The name of a key, which ArgumentParser looks up what was given by.
struct OptionName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// One key of a group, whatever the type of its values.
struct ListedOption: Sendable {
    let name: String
    /// Makes the property of ArgumentParser that stands for it.
    let makeWrapper: @Sendable () -> Any
    /// Returns what was given, in its order.
    let texts: @Sendable (KeyedDecodingContainer<OptionName>) throws -> [String]
    /// Puts it into the arguments domain.
    let take: @Sendable ([String]) throws -> Void

    init<Value>(_ option: KeyOption<Value>) {
        let name = OptionName(stringValue: option.key.name)
        self.name = name.stringValue
        if option.isFlag {
            makeWrapper = { Flag<Bool?>(name: option.name, inversion: .prefixedNo, help: option.help) }
            texts = { container in
                try container.decode(Flag<Bool?>.self, forKey: name).wrappedValue.map { ["\($0)"] } ?? []
            }
        } else if option.isList {
            makeWrapper = {
                Option<[String]>(
                    wrappedValue: [], name: option.name, help: option.help, completion: option.completion)
            }
            texts = { try $0.decode(Option<[String]>.self, forKey: name).wrappedValue }
        } else {
            makeWrapper = {
                Option<String?>(name: option.name, help: option.help, completion: option.completion)
            }
            texts = { try $0.decode(Option<String?>.self, forKey: name).wrappedValue.map { [$0] } ?? [] }
        }
        take = { texts in
            do throws(Refusal) { _ = try option.take(texts) } catch {
                throw ValidationError(option.complaint(of: texts) + ": \(error)")
            }
        }
    }
}

extension KeyOption {
    /// The words of ArgumentParser for a text that does not fit, without the text if that is secret.
    fileprivate func complaint(of texts: [String]) -> String {
        if isFlag { return "The flag '--\(word)' cannot be used" }
        let value = key.isSecret ? "" : " '\(texts.joined(separator: " "))'"
        return "The value\(value) is invalid for '--\(word) <\(word)>'"
    }
}
