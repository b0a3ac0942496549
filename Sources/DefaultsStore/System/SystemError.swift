/// A system call that failed, with its error number.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, as in its manual page: `"fsync"`.
    public let call: String
    /// The value of `errno` right after the call.
    public let errno: Int32

    /// Creates the record of one failed call.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The call and the system's own words for the number: `"fsync: Input/output error (5)"`.
    public var description: String {
        "\(call): \(SystemCalls.message(forError: errno)) (\(errno))"
    }
}
