import TypedDefaults

/// What a program's struct knows of an object that others write into, too.
private struct Part: Codable, Sendable {
    var a = 0
    var b = 0

    /// The value with one member set, and the other one as a program has it that never looks.
    init(_ member: String, _ value: Int) { if member == "a" { a = value } else { b = value } }

    init(a: Int, b: Int) { (self.a, self.b) = (a, b) }
}

/// Members of objects.
extension Conversation {
    /// Obeys a command about them; nil where it is none.
    func parts(_ command: Command) throws -> String? {
        switch command.verb {
        case "setpart":
            try suite.set(
                part(try command.word(0)), to: Part(a: try command.number(1), b: try command.number(2)))
        case "countpart":
            for number in 1...(try command.number(2)) {
                try suite.set(part(try command.word(0)), to: Part(try command.word(1), number))
            }
        default: return nil
        }
        return "ok"
    }

    private func part(_ name: String) -> Defaults.Key<Part> {
        Defaults.Key(name, default: Part(a: 0, b: 0), suite: suite)
    }
}
