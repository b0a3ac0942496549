/// A rule of `DefaultValueSource` that a source breaks.
public struct SourceViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule, open to growth.
    public struct Rule: Hashable, Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        public let description: String

        /// The source answers at all.
        public static let answers = Rule(description: "a source in order answers, and soon")
        /// Two answers are equal while nothing changes.
        public static let repeatable = Rule(description: "while nothing changes, two answers are equal")
        /// Every name could be a key's.
        public static let names = Rule(description: "names are 1 to 65,536 bytes long")
        /// Every value could stand in a file.
        public static let depth = Rule(description: "values nest at most 128 levels deep")
        /// A source has one name, and has one.
        public static let name = Rule(description: "a source's own name is not empty and stays the same")
        /// Several tasks may ask at once.
        public static let sharing = Rule(description: "several tasks that ask at once get the same answer")
        /// A cancelled task is not kept waiting.
        public static let cancellation = Rule(
            description: "who cancels the asking task gets an answer or an error soon")
        /// A stream ends with its consumer.
        public static let ending = Rule(
            description: "the stream of changes ends when its consumer is cancelled")
        /// No event without a difference.
        public static let difference = Rule(
            description: "a layer of the stream differs from the one before it")
        /// Every change is told, as a whole layer.
        public static let wholeLayers = Rule(
            description: "after a change the stream gives the whole new layer")
        /// What cannot be read is thrown.
        public static let failure = Rule(
            description: "a source that cannot be read throws; it does not answer with less")
    }

    /// The rule that is broken.
    public let rule: Rule
    /// What was seen; names keys and counts, and no value.
    public let observation: String

    /// Makes a violation.
    public init(_ rule: Rule, _ observation: String) {
        self.rule = rule
        self.observation = observation
    }

    /// The rule, and what was seen.
    public var description: String { "\(rule): \(observation)" }
}
