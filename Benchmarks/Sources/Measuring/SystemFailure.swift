import Glibc

/// A system call that refused, with its reason.
public struct SystemFailure: Error, CustomStringConvertible {
    /// What failed, on what, and why.
    public let description: String

    /// Names the call that failed just now.
    public init(_ call: String, _ object: String = "") {
        let number = errno
        description = "\(call) \(object): \(String(cString: strerror(number)))"
    }

    /// Names a call with the number it gave back.
    public init(_ call: String, _ object: String = "", number: Int32) {
        description = "\(call) \(object): \(String(cString: strerror(number)))"
    }

    /// Says that what was awaited has not come.
    public init(waitingFor event: String) { description = "waited in vain for \(event)" }
}
