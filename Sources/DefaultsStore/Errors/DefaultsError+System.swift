extension DefaultsError {
    /// Returns what a failed read means for the caller; never "there is nothing".
    static func reading(_ path: String, _ error: SystemError) -> DefaultsError {
        DefaultsError(code(reading: error), path: path, systemError: error)
    }

    /// Whether another attempt to read may succeed soon without a change of the file: the system was short of something,
    /// or failed.
    package var mayPass: Bool { code == .io && systemError?.isForbidden != true }

    /// Returns what a failed write means for the caller.
    static func writing(_ path: String, _ error: SystemError) -> DefaultsError {
        DefaultsError(code(writing: error), path: path, systemError: error)
    }

    /// Runs calls that read, and translates their failure.
    static func reading<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ body: () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try body() } catch { throw .reading(path(), error) }
    }

    /// Runs calls that write, and translates their failure.
    static func writing<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ body: () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try body() } catch { throw .writing(path(), error) }
    }

    private static func code(reading error: SystemError) -> Code {
        error.isUnsafePlace ? .insecureDirectory : .io
    }

    private static func code(writing error: SystemError) -> Code {
        if error.isFull { return .diskFull }
        if error.isForbidden { return .readOnly }
        return code(reading: error)
    }
}
