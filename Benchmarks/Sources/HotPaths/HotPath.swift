import Measuring

/// A path whose cost is measured, in time by `ratios` and in instructions by `counted`.
public enum HotPath: String, CaseIterable, Sendable {
    case getDouble = "get-double"
    case getBool = "get-bool"
    case getInt = "get-int"
    case getString = "get-string"
    case getShortString = "get-short-string"
    case getCodable = "get-codable"
    case getUnset = "get-unset"
    case getUnsetString = "get-unset-string"
    case setDouble = "set-double"
    case setBool = "set-bool"
    case setString = "set-string"
    case setDifferent = "set-different-keys"
    case setObserved = "set-observed"
    case setThenGet = "set-then-get"
    case firstDouble = "first-double-after-change"
    case firstBool = "first-bool-after-change"
    case firstInt = "first-int-after-change"
    case firstString = "first-string-after-change"
    case getAfterOther = "get-after-other-change"
    case getAfterSet = "get-after-a-set-elsewhere"
    case getAfterSets = "get-after-33-sets-elsewhere"
    case foundationGetDouble = "userdefaults-get-double"
    case foundationGetString = "userdefaults-get-string"
    case foundationGetShortString = "userdefaults-get-short-string"
    case foundationGetCodable = "userdefaults-get-codable"
    case foundationSetDouble = "userdefaults-set-double"
    case bareDouble = "bare-double"
    case bareDefault = "bare-default"
    case bareStrings = "bare-strings"
    case decodeDouble = "json-decode-double"
    case decodeBool = "json-decode-bool"
    case decodeInt = "json-decode-int"
    case decodeString = "json-decode-string"

    /// Runs the path so many times, rounded up to whole batches of the first reads.
    ///
    /// - Parameter section: is given what is to be measured, and runs it; what is outside prepares it.
    public func run(_ count: Int, in section: (() -> Void) -> Void) {
        _ = SampleValues.stored
        switch self {
        case .getDouble: section { sum(count) { OurReads.double() } }
        case .getBool: section { sum(count) { OurReads.bool() ? 1 : 0 } }
        case .getInt: section { sum(count) { OurReads.int() } }
        case .getString: section { sum(count) { OurReads.string().utf8.count } }
        case .getShortString: section { sum(count) { OurReads.shortString().utf8.count } }
        case .getCodable: section { sum(count) { OurReads.profile().age } }
        case .getUnset: section { sum(count) { OurReads.unsetDouble() } }
        case .getUnsetString: section { sum(count) { OurReads.unsetString().utf8.count } }
        case .foundationGetDouble: section { sum(count) { FoundationReads.double() } }
        case .foundationGetString: section { sum(count) { FoundationReads.string().utf8.count } }
        case .foundationGetShortString:
            section { sum(count) { FoundationReads.shortString().utf8.count } }
        case .foundationGetCodable: section { sum(count) { FoundationReads.profile().age } }
        case .setDouble, .setBool, .setString, .setThenGet, .foundationSetDouble:
            runSet(count, in: section)
        case .setDifferent: setDifferentKeys(count, in: section)
        case .setObserved: setObservedKey(count, in: section)
        case .firstDouble: FirstReads.doubles.run(count, in: section)
        case .firstBool: FirstReads.bools.run(count, in: section)
        case .firstInt: FirstReads.ints.run(count, in: section)
        case .firstString: FirstReads.strings.run(count, in: section)
        case .getAfterOther: readAfterOtherChange(count, in: section)
        case .getAfterSet: readAfterOtherProcess(count, others: 0, in: section)
        case .getAfterSets: readAfterOtherProcess(count, others: 32, in: section)
        case .bareDouble: section { sum(count) { BareReads.double() } }
        case .bareDefault: section { sum(count) { BareReads.defaultDouble() } }
        case .bareStrings: BareReads.texts(FirstReads.strings.texts, count, in: section)
        case .decodeDouble: decode(Double.self, texts: FirstReads.doubles.texts, count, in: section)
        case .decodeBool: decode(Bool.self, texts: FirstReads.bools.texts, count, in: section)
        case .decodeInt: decode(Int.self, texts: FirstReads.ints.texts, count, in: section)
        case .decodeString: decode(String.self, texts: FirstReads.strings.texts, count, in: section)
        }
    }

    private func readAfterOtherProcess(_ count: Int, others: Int, in section: (() -> Void) -> Void) {
        do {
            try OtherProcess.read(count, others: others, in: section)
        } catch {
            preconditionFailure("the other process could not be had: \(error)")
        }
    }

    private func runSet(_ count: Int, in section: (() -> Void) -> Void) {
        switch self {
        case .setDouble: section { for number in 0..<count { OurSets.double(Double(number) + 0.5) } }
        case .setBool: section { for number in 0..<count { OurSets.bool(number % 2 == 0) } }
        case .setString:
            section { for number in 0..<count { OurSets.string("the text of the number \(number)") } }
        case .setThenGet:
            section {
                for number in 0..<count {
                    OurSets.double(Double(number) + 0.5)
                    blackHole(OurReads.double())
                }
            }
        default: section { for number in 0..<count { FoundationReads.setDouble(Double(number) + 0.5) } }
        }
    }
}

/// Adds up what is read, so that each value is used at the cost of one addition.
@inline(__always)
private func sum<Number: AdditiveArithmetic>(_ count: Int, _ read: () -> Number) {
    var sum = Number.zero
    for _ in 0..<count { sum += read() }
    blackHole(sum)
}
