import DefaultsStore

/// What ends the program before its work is done: one line for the person, and a status for a script.
struct Failure: Error {
    /// What is wrong and what to do; nil where everything has been said.
    let message: String?
    let status: Status

    init(_ status: Status, _ message: String?) {
        self.message = message
        self.status = status
    }

    /// The exit statuses, as `--help` lists them; most are those of sysexits.h.
    enum Status: Int32 {
        case noSuchKey = 1
        case damaged = 2
        case usage = 64
        case unusableInput = 65
        case noSuchSuite = 66
        case otherProgram = 70
        case refusedBySystem = 74
        case inTheWay = 75
        case notAllowed = 77

        /// That `diff` has found something, as that of the system says it.
        static let different = Status.noSuchKey
        /// Nothing is wrong, and a later try may succeed.
        static let notInTime = Status.inTheWay
    }

    /// The failure that an error of the library is.
    init(_ error: DefaultsError) {
        self.init(Failure.status(of: error), Failure.message(of: error))
    }

    private static func message(of error: DefaultsError) -> String {
        guard error.code == .malformedFile else { return error.description }
        guard PlaceOptions.isForeign(error.path) else {
            return error.description
                + " \"edit\" mends it, \"check --repair\" replaces it and keeps the original."
        }
        let place = "\(error.path ?? ""):\(error.line ?? 1):\(error.column ?? 1)"
        return "this is no settings file: \(SafeText.escaped(place)): \(error.underlyingDescription ?? "")"
    }

    private static func status(of error: DefaultsError) -> Status {
        // Whatever was being done, it is not allowed here.
        if let system = error.systemError, System.isForbidden(system.errno) { return .notAllowed }
        return switch error.code {
        case .valueTooLarge where error.key == nil && isTooLarge(error.path): .damaged
        case .malformedFile, .unsupportedFormat: .damaged
        case .invalidSuiteName: .usage
        case .invalidKey, .invalidValue, .valueTooLarge, .malformedText, .typeMismatch: .unusableInput
        case .lockTimeout, .conflict: .inTheWay
        case .locked, .readOnly, .insecureDirectory: .notAllowed
        default: .refusedBySystem
        }
    }

    /// Whether a file is larger than any may be; else what was given would have made it so.
    private static func isTooLarge(_ path: String?) -> Bool {
        guard let path else { return false }
        do { return try System.status(path).map { $0.size > System.greatestFile } ?? false } catch {
            // One that cannot be looked at is not well either.
            return true
        }
    }
}
