/// One operation on one register: what was asked, what came back, and between which two moments.
///
/// A register holds a whole number or nothing. Two keys that are always written together are one register too, whose
/// reads see two values. The moments are nanoseconds of one clock that all the clients share.
package struct RegisterOperation: Hashable, Sendable {
    /// What was asked and what was seen; an empty list of what was seen is of an operation nobody heard the end of.
    package enum Action: Hashable, Sendable {
        /// Everything seen is the register's value.
        case read([Int?])
        /// Nothing is seen; nil removes the value.
        case write(Int?)
        /// The value is set, and everything seen is the one before.
        case exchange(Int?, seen: [Int?])
        /// A number is added, to 0 where there is nothing; what it gave is nil when nobody heard.
        case add(Int, gave: Int?)
    }

    /// Who asked.
    package var client: String
    /// When it was asked.
    package var start: Int64
    /// When it was answered; nil for an operation that may or may not have taken effect, at any time after its start.
    package var end: Int64?
    package var action: Action

    /// An operation of a client.
    package init(_ client: String, _ start: Int64, _ end: Int64?, _ action: Action) {
        self.client = client
        self.start = start
        self.end = end
        self.action = action
    }

    /// What the register holds after this has taken effect on a value; `.some(nil)` is nothing, and nil says that it
    /// cannot have taken effect there.
    func applied(to value: Int?) -> Int?? {
        switch action {
        case .read(let seen): seen.allSatisfy { $0 == value } ? .some(value) : nil
        case .write(let new): .some(new)
        case .exchange(let new, let seen): seen.allSatisfy { $0 == value } ? .some(new) : nil
        case .add(let number, let gave):
            gave == nil || gave == (value ?? 0) + number ? .some((value ?? 0) + number) : nil
        }
    }

    /// The same without its outcome.
    var unheard: RegisterOperation {
        let action: Action =
            switch action {
            case .read: .read([])
            case .write, .exchange: .write(written ?? nil)
            case .add(let number, _): .add(number, gave: nil)
            }
        return RegisterOperation(client, start, nil, action)
    }

    /// Whether it leaves every register as it was.
    var isRead: Bool {
        if case .read = action { true } else { false }
    }

    /// The value it sets, whatever was there; nil for a read and an addition.
    var written: Int?? {
        switch action {
        case .write(let new), .exchange(let new, _): .some(new)
        case .read, .add: nil
        }
    }

    /// The values it saw.
    var seen: [Int?] {
        switch action {
        case .read(let seen), .exchange(_, let seen): seen
        case .write, .add: []
        }
    }
}

extension RegisterOperation: CustomStringConvertible {
    /// One line, with the moments in nanoseconds.
    package var description: String { described(from: 0) }

    /// One line, with the moments counted from another one.
    func described(from origin: Int64) -> String {
        let ended = end.map { "\($0 - origin)" } ?? "never"
        return "\(client): \(start - origin) to \(ended) ns: \(action)"
    }
}

extension RegisterOperation.Action: CustomStringConvertible {
    /// A few words.
    package var description: String {
        switch self {
        case .read(let seen): "read \(text(seen))"
        case .write(let new): "write \(text([new]))"
        case .exchange(let new, let seen): "write \(text([new])) over \(text(seen))"
        case .add(let number, let gave): "add \(number) giving \(gave.map(String.init) ?? "?")"
        }
    }

    private func text(_ values: [Int?]) -> String {
        values.isEmpty ? "?" : values.map { $0.map(String.init) ?? "nothing" }.joined(separator: " and ")
    }
}
