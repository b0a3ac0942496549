extension DefaultsError {
    /// What a refused read means for the caller; it is never "there is nothing".
    static func reading(_ path: String, _ error: SystemError) -> DefaultsError {
        DefaultsError(code(reading: error), path: path, systemError: error)
    }

    /// What a refused write means for the caller.
    static func writing(_ path: String, _ error: SystemError) -> DefaultsError {
        DefaultsError(code(writing: error), path: path, systemError: error)
    }

    /// Runs calls that read, and says in our terms why they failed.
    static func reading<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ body: () throws(SystemError) -> Result
    ) throws(DefaultsError) -> Result {
        do { return try body() } catch { throw .reading(path(), error) }
    }

    /// Runs calls that write, and says in our terms why they failed.
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
