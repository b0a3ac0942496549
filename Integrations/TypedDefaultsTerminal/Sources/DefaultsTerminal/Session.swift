import DefaultsStore
import Synchronization

/// One run of the screen over a suite: it carries the model's effects out, and tells it what happens.
final class Session {
    private let suite: DefaultsSuite
    private let makeSettings: () throws(DefaultsError) -> [Setting]
    private let inbox = Inbox()
    /// Who hears of failures otherwise.
    private let onFailure: (@Sendable (DefaultsError) -> Void)?
    private var model: Model
    private var draft: DefaultsDraft
    /// What the draft has, by the name of the key.
    private var edits: [String: Edit] = [:]
    /// What was stored before this screen has stored something else; nil for nothing.
    private var replaced: [String: DefaultsValue?] = [:]
    private var places: [String: Int] = [:]
    private var isOver = false

    private enum Edit {
        case text(String)
        case removal
    }

    /// - Parameter settings: returns the settings to show, whenever there may be others.
    init(_ suite: DefaultsSuite, settings: @escaping () throws(DefaultsError) -> [Setting]) {
        (self.suite, makeSettings) = (suite, settings)
        // First, so that what is wrong is on the screen and not printed.
        onFailure = suite.onFailure
        suite.onFailure = { [inbox, onFailure] failure in
            inbox.add(.failure(failure))
            onFailure?(failure)
        }
        draft = suite.draft()
        let place = suite.path.map { $0 == suite.name ? "" : "   \(SettingState.fromHome($0))" } ?? ""
        model = Model(title: SettingState.fromHome(suite.name) + place, size: Layout.least)
    }

    /// Ends the run; from any thread.
    var canceller: @Sendable () -> Void {
        { [inbox] in inbox.add(.cancelled) }
    }

    /// Shows the screen until somebody leaves it.
    ///
    /// - Throws: `DefaultsTerminal.Failure`; `CancellationError`.
    func run() throws {
        defer { suite.onFailure = onFailure }
        let terminal = try Terminal()
        defer { terminal.leave() }
        let observation = suite.observeAll(options: [.new]) { [inbox] in inbox.add(.changes($0)) }
        defer { observation.invalidate() }
        handle(.resized(terminal.size))
        load()
        try take(inbox.takeAll())
        var renderer = Renderer(hasColour: Terminal.variable("NO_COLOR") == nil)
        var keys = KeyReader()
        while !isOver {
            refreshSelected()
            try terminal.write(renderer.bytes(for: model.screen()))
            // What sends several bytes sends them at once; a person does not.
            let wakes = try terminal.wait(milliseconds: keys.isWaiting ? 30 : -1)
            for wake in wakes {
                switch wake {
                case .input(let bytes): keys.add(bytes)
                case .resized: handle(.resized(terminal.size))
                case .resumed:
                    renderer.forget()
                    handle(.resized(terminal.size))
                case .interrupted: handle(.interrupt)
                case .poked: try take(inbox.takeAll())
                case .ended(let signal):
                    terminal.leave()
                    Terminal.pass(on: signal)
                    throw DefaultsTerminal.Failure(.ended, "signal \(signal) has ended the screen")
                }
            }
            while !isOver, let key = keys.next(isAll: wakes.isEmpty) { handle(.key(key)) }
        }
    }

    private func handle(_ event: Model.Event) {
        for effect in model.handle(event) { carryOut(effect) }
    }

    /// Reads all settings anew.
    private func load() {
        do throws(DefaultsError) {
            let settings = try makeSettings()
            places = Dictionary(
                settings.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
            handle(.settings(settings.map { Model.Row($0, SettingState(of: $0, in: suite)) }))
        } catch {
            handle(.said(.failure("\(error)")))
        }
        lookForFault()
    }

    /// A value's place in the file changes without its being changed.
    private func refreshSelected() {
        guard let index = model.list.selected else { return }
        if SettingState(of: model.rows[index].setting, in: suite) != model.rows[index].state {
            refresh(index)
        }
    }

    private func refresh(_ index: Int) {
        let setting = model.rows[index].setting
        handle(.state(index, SettingState(of: setting, in: suite), draftValue(of: setting)))
    }

    private func draftValue(of setting: Setting) -> Model.DraftValue? {
        switch edits[setting.name] {
        case .text(let text): .set(setting.isSecret ? text : draft.value(forKey: setting.name)?.typed ?? text)
        case .removal: .reset
        case nil: nil
        }
    }

    private func lookForFault() {
        do throws(DefaultsError) {
            _ = try suite.storedObject()
            handle(.fault(nil))
        } catch {
            handle(.fault("the last good values are shown. \(error)"))
        }
    }
}

/// What happens elsewhere.
extension Session {
    private func take(_ notices: [Inbox.Notice]) throws(CancellationError) {
        for notice in notices {
            switch notice {
            case .changes(let changes): note(changes)
            case .failure(let failure):
                lookForFault()
                if failure.code == .recovered {
                    handle(.said(Model.Message(text: "\(failure)", style: .green)))
                } else if model.fault == nil {
                    handle(.said(.failure("\(failure)")))
                }
            case .cancelled: throw CancellationError()
            }
        }
    }

    private func note(_ changes: [DefaultsChange]) {
        rebase()
        if changes.contains(where: { places[$0.key] == nil }) { load() }
        for change in changes {
            guard let index = places[change.key] else { continue }
            let state = SettingState(of: model.rows[index].setting, in: suite)
            if change.cause == .thisProcess {
                refresh(index)
            } else {
                handle(.changed(index, state, by: change.cause.author))
            }
        }
        if model.fault != nil { lookForFault() }
    }

    /// The draft begins with what is stored now; who has changed what is in it, the model knows.
    private func rebase() {
        guard !edits.isEmpty else {
            draft = suite.draft()
            return
        }
        do throws(DefaultsError) { try draft.rebase() } catch { handle(.said(.failure("\(error)"))) }
    }
}

/// What the model asks for.
extension Session {
    private func carryOut(_ effect: Model.Effect) {
        switch effect {
        case .set(let index, let text): set(text, at: index)
        case .reset(let index):
            let name = model.rows[index].setting.name
            draft.removeValue(forKey: name)
            edits[name] = .removal
            refresh(index)
        case .drop(let index): drop([model.rows[index].setting.name])
        case .dropAll: drop(Array(edits.keys))
        case .undo(let index): step(at: index, isForward: false)
        case .redo(let index): step(at: index, isForward: true)
        case .apply(let isOverriding): apply(isOverriding)
        case .quit: isOver = true
        }
    }

    private func set(_ text: String, at index: Int) {
        let setting = model.rows[index].setting
        var next = draft
        switch setting.reading?(text) {
        case .refused(let reason): return handle(.refused(reason))
        case .value(let value): next.set(value, forKey: setting.name)
        case nil: next.set(text: text, forKey: setting.name)
        }
        if let problem = next.problems.first(where: { $0.key == setting.name }) {
            let reason = problem.underlyingDescription ?? "\(problem.code)"
            return handle(.refused("\(reason). \(problem.recoverySuggestion)"))
        }
        draft = next
        edits[setting.name] = .text(text)
        // What is stored already is no change.
        if !draft.changes.contains(where: { $0.key == setting.name }) { drop([setting.name]) }
        refresh(index)
        handle(.drafted)
    }

    private func drop(_ names: [String]) {
        for name in names { edits[name] = nil }
        draft = suite.draft()
        for (name, edit) in edits {
            switch edit {
            case .removal: draft.removeValue(forKey: name)
            case .text(let text):
                guard let setting = places[name].map({ model.rows[$0].setting }) else { continue }
                if case .value(let value) = setting.reading?(text) {
                    draft.set(value, forKey: name)
                } else {
                    draft.set(text: text, forKey: name)
                }
            }
        }
        for name in names { if let index = places[name] { refresh(index) } }
    }

    private func apply(_ isOverriding: Bool) {
        let changes = draft.changes.map(\.key)
        do throws(DefaultsError) {
            let stored = storedBefore()
            try draft.apply(overridingConflicts: isOverriding)
            if let stored { for name in changes { replaced[name] = .some(stored[name]) } }
            drop(Array(edits.keys))
            handle(.applied(changes.count))
        } catch {
            if error.code == .conflict, !draft.conflicts.isEmpty {
                handle(.conflicts(draft.conflicts))
            } else {
                handle(.said(.failure("nothing is stored: \(error)")))
            }
        }
    }

    /// What is stored; nil if that cannot be read, which the screen says, and then there is nothing to go back to.
    private func storedBefore() -> DefaultsObject? {
        do { return try suite.storedObject() } catch { return nil }
    }

    /// Goes to the value before, or forward again.
    private func step(at index: Int, isForward: Bool) {
        let name = model.rows[index].setting.name
        do throws(DefaultsError) {
            if isForward {
                guard try suite.redo(forKey: name) else {
                    return say("there is no undo of \(name) to take back")
                }
            } else if try suite.undo(forKey: name) == false {
                // Without a history, what this screen has stored can still be taken back.
                guard let old = replaced.removeValue(forKey: name) else {
                    return say("no earlier value of \(name) is kept (keepHistory keeps them)")
                }
                if let old { try suite.set(old, forKey: name) } else { try suite.removeValue(forKey: name) }
            }
            rebase()
            refresh(index)
            say(
                "\(name) is \(model.rows[index].state.value ?? "not set") \(isForward ? "again" : "as before")"
            )
        } catch {
            handle(.said(.failure("\(error)")))
        }
    }

    private func say(_ text: String) { handle(.said(Model.Message(text: text))) }
}

/// What other threads have to say, in its order.
private final class Inbox: Sendable {
    enum Notice {
        case changes([DefaultsChange])
        case failure(DefaultsError)
        case cancelled
    }

    private let notices = Mutex<[Notice]>([])  // A leaf: nothing is called under it.

    func add(_ notice: Notice) {
        notices.withLock { $0.append(notice) }
        Terminal.poke()
    }

    func takeAll() -> [Notice] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }
}

extension DefaultsChange.Cause {
    /// Who has changed something, in words.
    fileprivate var author: String {
        switch self {
        case .fileEdited: "an edit of the file"
        case .defaultsChanged(let source): source
        default: "\(self)"
        }
    }
}
