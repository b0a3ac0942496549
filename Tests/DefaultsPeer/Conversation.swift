import Libc
import TypedDefaults

/// Reads commands, one a line, and answers each with one line: what was asked for, `ok`, or `error <code>`.
struct Conversation {
    /// The suite that the commands are about.
    var suite = DefaultsSuite.inMemory()
    /// The codes of the failures that no command could be thrown.
    let failures = Mailbox<String>()
    /// What the running observations have heard.
    let events = Mailbox<DefaultsValue>()
    var observations: [DefaultsObservation] = []
    /// The object that the observers of `observetied` are tied to.
    var owner: Mailbox<Void>?
    var followings: [DefaultValueSourceSubscription] = []
    /// The children that other threads than the one that obeys have made.
    let childs = Mailbox<Int32>()
    /// The descriptors that nobody else is to have.
    let hoarded = Mailbox<Int32>()
    /// The keys that are tracked, by name.
    var trackedKeys: [String: Defaults.Key<Int>] = [:]
    /// The threads that `work` has started.
    var workload: RunningWorkload?
    /// What does the operations of the workload that this thread is told to do.
    var worker: Worker?
    /// The tasks that were told to write, and what became of those that are done.
    var writes: [Task<Void, Never>] = []
    let outcomes = Mailbox<String>()
    /// What the commands about whole settings are about.
    var player = PlayerSettings()
    /// The start that was begun last.
    var start: DefaultsStart?

    /// A line that is no command, or no command here.
    struct Misunderstood: Error {
        let line: String
    }

    /// Obeys until there are no more commands.
    mutating func run() {
        while let line = readLine() {
            answer(attempt { () throws in try obey(line) })
        }
    }

    /// What a body answers, with an error as text.
    private func attempt(_ body: () throws -> String) -> String {
        do {
            return try body()
        } catch let error as DefaultsError {
            return "error \(error.code)"
        } catch {
            return "error \(error)"
        }
    }

    private mutating func obey(_ line: String) throws -> String {
        let command = Command(line)
        switch command.verb {
        case "open": try open(try DefaultsSuite(command.word(1), in: command.word(0)))
        case "openunheard": suite = try DefaultsSuite(command.word(1), in: command.word(0))
        case "openunmapped":
            let unknown = FaultInjection(FaultInjection.Rule("fstatfs", errno: 5, lasts: true))
            try FaultInjection.$current.withValue(unknown) {
                try open(try DefaultsSuite(command.word(1), in: command.word(0)))
                _ = try suite.storedValues()
            }
        case "openfile": try open(try DefaultsSuite(file: command.word(0)))
        case "openmemory": try open(.inMemory())
        case "openstandard": try open(.standard)
        case "standard": return "\(DefaultsSuite.standard.name) \(DefaultsSuite.standard.path ?? "")"
        case "bootstrap":
            try DefaultsSuite.bootstrap(standard: try DefaultsSuite(command.word(1), in: command.word(0)))
        case "manage": try suite.setManagedFile(command.word(0))
        case "umask": umask(mode_t(try command.number(0, radix: 8)))
        case "observe": observations.append(try observe(command.word(0)))
        case "observetied":
            let owner = owner ?? Mailbox<Void>()
            observe(try command.word(0), for: owner)
            self.owner = owner
        case "endowner": owner = nil
        case "slowdown": LifetimeTies.shared.slowDown()
        case "track": track(try command.word(0), try command.word(1))
        case "gettracked": return try trackedValue(of: try command.word(0))
        case "events":
            return try events.take(command.number(0)).map(DefaultsValue.array)?.description ?? "none"
        case "failures": return failures.all.joined(separator: " ")
        case "begin": return try hold()
        default:
            let said =
                try values(command) ?? work(command) ?? groups(command) ?? place(command)
                ?? editing(command) ?? ending(command) ?? history(command) ?? forking(command)
                ?? whole(command) ?? background(command)
            if let said = try said ?? tasks(command) ?? turns(command) ?? parts(command) { return said }
            if let said = try starting(command) { return said }
            throw Misunderstood(line: line)
        }
        return "ok"
    }

    private mutating func open(_ suite: DefaultsSuite) throws {
        let failures = failures
        suite.onFailure = { failures.append($0.code.description) }
        self.suite = suite
    }
}

/// Prints a line at once.
func answer(_ line: String) {
    print(line)
    fflush(nil)
}
