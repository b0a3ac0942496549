/// A user of an etcd that asks who is there.
///
/// ```swift
/// let credentials = EtcdCredentials(user: "player", password: "from a file, not from the code")
/// ```
public struct EtcdCredentials: Hashable, Sendable {
    /// The user's name.
    public let user: String
    let password: String

    /// Names a user.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension EtcdCredentials: CustomStringConvertible, CustomReflectable {
    /// The user; never the password.
    public var description: String { "user \(user)" }

    /// The user; never the password.
    @_documentation(visibility: internal)
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
