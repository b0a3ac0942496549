/// The protocol of lock file, journal and settings file as steps of a few processes on two machines, small enough that
/// every order of the steps can be gone through; Protocol.md tells what it stands for.
///
/// The settings are two numbers: `a`, which the writers count up, and `e`, which the editor does.
struct ProtocolModel: Hashable {
    /// What a process may leave out, to see that it is missed.
    enum Precaution: CaseIterable {
        /// The lock is taken.
        case lock
        /// The file system is asked what the settings file's name stands for.
        case names
        /// The file system is asked for the journal's bytes.
        case journal
        /// The file system is asked for the generation.
        case generation
        /// What is written has arrived before the next step.
        case handingOver
        /// The generation rises before a record is appended (F4).
        case raisingFirst
        /// A reader looks at the journal's header before and after.
        case secondCheck
        /// The journal restarts when the settings file is in place (F5).
        case order
        /// The displaced file is looked at (F8), also after a death (F14).
        case examination
        /// What a checkpoint has put in place is done, whatever was saved since (F26).
        case completion
    }

    /// How often things happen.
    struct Bounds: Hashable {
        var commits = 2
        var checkpoints = 2
        /// Of checkpoints that wait for the disk without the lock.
        var concurrent = 0
        var edits = 1
        /// Saves by hand that set what the writers count, too, while none of them does.
        var takeovers = 0
        var deaths = 1
        var reads = 2
        var newcomers = 1
    }

    struct Values: Hashable {
        var a = 0
        var e = 0
    }

    /// A version of the settings file.
    struct File: Hashable {
        var number: Int
        var values: Values
    }

    struct Record: Hashable {
        let nonce: Int
        let generation: Int
        let a: Int
    }

    struct Journal: Hashable {
        var nonce = 0
        var generation = 0
        var records: [Record] = []

        /// The records that count and that the settings file does not have.
        var pending: [Record] { records.filter { $0.nonce == nonce && $0.generation > generation } }
    }

    /// What a machine's kernel remembers.
    struct Memory: Hashable {
        var generation: Int?
        var journal: Journal?
        var settings: File?
        /// What was not handed over.
        var unsent: [Record] = []
        var place = 0
    }

    /// What a process has seen.
    struct View: Hashable {
        var generation = 0
        var settings = File(number: 0, values: Values())
        var journal = Journal()

        var values: Values {
            Values(a: journal.pending.last?.a ?? settings.values.a, e: settings.values.e)
        }
        var last: Int { max(journal.pending.last?.generation ?? 0, journal.generation) }
    }

    enum Step: Hashable {
        case idle, locked, sawGeneration, sawSettings, ready, raised, appended
        case written, placed, examined, raisedAgain, restarted
        case prepared, returned, named, finishing, marking, raisedOver
    }

    enum Work: Hashable { case commit, checkpoint, concurrentCheckpoint }

    struct Writer: Hashable {
        var step = Step.idle
        var work = Work.commit
        /// The settings file that has no name yet.
        var unnamed: File?
        var view = View()
        /// Whether the view is of an earlier session, and may still be right.
        var knows = false
    }

    /// The last thing that a reader was given.
    struct Served: Hashable {
        /// Its place in the history.
        var place = 0
        var e = 0
    }

    struct Reader: Hashable {
        var step = Step.idle
        var view = View()
        var isKnown = false
        /// How many commits had been acknowledged, or seen by anybody, when the read began.
        var bound = 0
        var served = Served()
        /// Whether it came upon a settings file that its writer had not examined yet.
        var isEarly = false
    }

    /// Of everything that was true, in order: the values, and how many commits that took.
    struct Truth: Hashable {
        let values: Values
        let commits: Int
    }

    var left: Bounds
    let leftOut: Precaution?
    var generation = 0
    var journal = Journal()
    var settings = File(number: 0, values: Values())
    var next: File?
    var displaced: File?
    var files = 1
    var holder: Int?
    var machines = [Memory(), Memory()]
    var writers = [Writer(), Writer()]
    var reader = Reader()
    var history = [Truth(values: Values(), commits: 0)]
    /// How many commits were acknowledged, or seen by anybody.
    var known = 0
    var violation: String?

    init(_ bounds: Bounds = Bounds(), without leftOut: Precaution? = nil) {
        left = bounds
        self.leftOut = leftOut
    }

    private func does(_ precaution: Precaution) -> Bool { leftOut != precaution }

    /// What is stored, as somebody finds it who asks the file system for everything.
    var truth: Values { View(generation: generation, settings: settings, journal: journal).values }
    /// Whether a settings file was put in place over one that its writer has not looked at.
    private var isEarly: Bool { displaced != nil }

    // MARK: Looks

    private mutating func seeGeneration(_ machine: Int) -> Int {
        if does(.generation) || machines[machine].generation == nil {
            machines[machine].generation = generation
        }
        return machines[machine].generation ?? 0
    }

    private mutating func seeSettings(_ machine: Int) -> File {
        if does(.names) || machines[machine].settings == nil { machines[machine].settings = settings }
        return machines[machine].settings ?? settings
    }

    private mutating func seeJournal(_ machine: Int) -> Journal {
        if does(.journal) || machines[machine].journal == nil { machines[machine].journal = journal }
        return machines[machine].journal ?? journal
    }

    // MARK: Steps

    /// Every state that one step of anybody leads to.
    var successors: [ProtocolModel] {
        var all: [ProtocolModel] = []
        for writer in writers.indices {
            all += stepsOfWriter(writer)
            if writers[writer].step != .idle, left.deaths > 0 { all.append(with { $0.die(writer) }) }
            if !machines[writer].unsent.isEmpty { all.append(with { $0.send(writer) }) }
        }
        all += stepsOfReader()
        if left.edits > 0 { all.append(with { $0.save() }) }
        if left.takeovers > 0, writers.allSatisfy({ $0.work != .commit || $0.step == .idle }) {
            all.append(with { $0.takeOver() })
        }
        if left.newcomers > 0, !isEarly {
            all.append(
                with {
                    $0.left.newcomers -= 1
                    $0.known = max($0.known, $0.history.last?.commits ?? 0)
                })
        }
        return all
    }

    private func with(_ body: (inout ProtocolModel) -> Void) -> ProtocolModel {
        var next = self
        body(&next)
        next.check()
        return next
    }

    private mutating func remember(_ values: Values, commits: Int) {
        history.append(Truth(values: values, commits: (history.last?.commits ?? 0) + commits))
    }

    /// No step but a commit and a save changes what is stored.
    private mutating func check() {
        if !isEarly, truth != history.last?.values {
            violation = violation ?? "what was stored has changed by itself"
        }
    }

    private mutating func die(_ number: Int) {
        left.deaths -= 1
        writers[number] = Writer()
        if holder == number { holder = nil }
    }

    /// Somebody saves by hand, without a lock: another value, in the file that is there.
    private mutating func save() {
        left.edits -= 1
        settings = File(number: files, values: Values(a: settings.values.a, e: settings.values.e + 1))
        files += 1
        machines[0].settings = settings
        remember(Values(a: truth.a, e: settings.values.e), commits: 0)
    }

    /// Somebody saves by hand both numbers; while a record is pending, it stands over that.
    private mutating func takeOver() {
        left.takeovers -= 1
        settings = File(
            number: files, values: Values(a: settings.values.a + 100, e: settings.values.e + 1))
        files += 1
        machines[0].settings = settings
        remember(truth, commits: 0)
    }

    private func stepsOfWriter(_ number: Int) -> [ProtocolModel] {
        let writer = writers[number]
        switch writer.step {
        case .idle:
            guard holder == nil || !does(.lock) else { return [] }
            var begun: [ProtocolModel] = []
            if left.commits > 0 { begun.append(with { $0.begin(number, .commit) }) }
            if left.checkpoints > 0 { begun.append(with { $0.begin(number, .checkpoint) }) }
            if left.concurrent > 0 { begun.append(with { $0.begin(number, .concurrentCheckpoint) }) }
            return begun
        case .prepared, .named:
            return holder == nil || !does(.lock) ? [with { $0.go(number) }] : []
        default: return [with { $0.go(number) }]
        }
    }

    private mutating func begin(_ number: Int, _ work: Work) {
        switch work {
        case .commit: left.commits -= 1
        case .checkpoint: left.checkpoints -= 1
        case .concurrentCheckpoint: left.concurrent -= 1
        }
        holder = number
        writers[number].work = work
        writers[number].step = .locked
        // Whoever makes a checkpoint clears up first what a dead one has left.
        if work == .checkpoint { clear() }
    }

    private mutating func clear() {
        guard let old = displaced, let put = next else {
            next = nil
            return
        }
        if does(.examination), settings == put { settings = old }
        (displaced, next) = (nil, nil)
    }

    private mutating func end(_ number: Int, knows: Bool) {
        writers[number].step = .idle
        writers[number].knows = knows
        if holder == number { holder = nil }
    }

    private mutating func go(_ number: Int) {
        switch writers[number].step {
        case .idle: break
        case .locked:
            let seen = seeGeneration(number)
            let isKnown = writers[number].knows && writers[number].view.generation == seen
            writers[number].knows = isKnown
            writers[number].view.generation = seen
            writers[number].step = .sawGeneration
        case .sawGeneration:
            let seen = seeSettings(number)
            if seen != writers[number].view.settings { writers[number].knows = false }
            writers[number].view.settings = seen
            writers[number].step = .sawSettings
        case .sawSettings:
            if !writers[number].knows { writers[number].view.journal = seeJournal(number) }
            writers[number].step = .ready
        case .ready:
            if writers[number].work != .commit {
                write(number)
            } else {
                does(.raisingFirst) ? raise(number) : append(number)
                writers[number].step = .raised
            }
        case .raised:
            does(.raisingFirst) ? append(number) : raise(number)
            writers[number].step = .appended
        case .appended:
            known = max(known, history.last { $0.values.a == writers[number].view.values.a }?.commits ?? 0)
            end(number, knows: true)
        case .written: does(.order) ? place(number) : restart(number, .placed)
        case .placed:
            if does(.order) { examine(number) } else { place(number) }
        case .examined:
            raise(number)
            writers[number].step = .raisedAgain
        case .raisedAgain: restart(number, .restarted)
        case .restarted:
            journal.records.removeAll { $0.nonce != journal.nonce }
            if does(.order) { writers[number].view.journal = journal } else { (displaced, next) = (nil, nil) }
            machines[number].journal = journal
            end(number, knows: does(.order))
        default: goOnConcurrently(number)
        }
    }

    // MARK: The checkpoint that waits for the disk without the lock

    private mutating func goOnConcurrently(_ number: Int) {
        let view = writers[number].view
        switch writers[number].step {
        case .prepared:
            holder = number
            clear()
            writers[number].step = .returned
        case .returned:
            guard seeSettings(number) == view.settings, seeJournal(number).nonce == view.journal.nonce else {
                return end(number, knows: false)
            }
            next = writers[number].unnamed
            place(number)
        case .named:
            holder = number
            writers[number].step = .finishing
        case .finishing:
            writers[number].view.generation = seeGeneration(number)
            clear()
            guard seeJournal(number).nonce == view.journal.nonce else { return finish(number) }
            if seeSettings(number) == view.settings {
                writers[number].step = .marking
            } else if does(.completion) {
                raise(number)
                writers[number].step = .raisedOver
            } else {
                finish(number)
            }
        case .marking:
            journal.generation = max(journal.generation, view.last)
            noteSavedOver(number)
            finish(number)
        default:
            let rest = seeJournal(number).pending.filter { $0.generation > view.last }
            let raised = generation
            journal.nonce += 1
            journal.generation = rest.isEmpty ? raised : raised - 1
            journal.records = rest.suffix(1).map {
                Record(nonce: journal.nonce, generation: raised, a: $0.a)
            }
            noteSavedOver(number)
            finish(number)
        }
    }

    /// What was saved over the file that a checkpoint has put in place is stored once its records are done.
    private mutating func noteSavedOver(_ number: Int) {
        guard settings != writers[number].view.settings, truth != history.last?.values else { return }
        remember(truth, commits: 0)
    }

    /// Ends a checkpoint whose file had the name.
    private mutating func finish(_ number: Int) {
        machines[number].journal = journal
        if journal.pending.contains(where: { $0.generation <= writers[number].view.last }) {
            violation = violation ?? "what the file had is still to be applied"
        }
        end(number, knows: false)
    }

    private mutating func raise(_ number: Int) {
        let raised = max(writers[number].view.generation, writers[number].view.last) + 1
        generation = raised
        machines[number].generation = raised
        writers[number].view.generation = raised
    }

    private mutating func append(_ number: Int) {
        let view = writers[number].view
        let own = does(.raisingFirst) ? view.generation : max(view.generation, view.last) + 1
        let record = Record(nonce: view.journal.nonce, generation: own, a: view.values.a + 1)
        let place = view.journal.records.count
        writers[number].view.journal.records.append(record)
        machines[number].journal = writers[number].view.journal
        if truth.a + 1 != record.a {
            violation = violation ?? "a commit was computed from what is no longer stored"
        }
        if does(.handingOver) {
            put([record], at: place)
        } else {
            (machines[number].unsent, machines[number].place) = ([record], place)
        }
        // A save that was displaced gets its name back.
        remember(Values(a: record.a, e: history.last?.values.e ?? 0), commits: 1)
    }

    /// Writes where the writer believes that the journal ends.
    private mutating func put(_ records: [Record], at place: Int) {
        journal.records = Array(journal.records.prefix(place)) + records
    }

    private mutating func send(_ machine: Int) {
        put(machines[machine].unsent, at: machines[machine].place)
        machines[machine].unsent = []
    }

    private mutating func write(_ number: Int) {
        guard !writers[number].view.journal.pending.isEmpty else { return end(number, knows: true) }
        let made = File(number: files, values: writers[number].view.values)
        files += 1
        guard writers[number].work == .checkpoint else {
            writers[number].unnamed = made
            holder = nil
            writers[number].step = .prepared
            return
        }
        next = made
        writers[number].step = .written
    }

    /// Exchanges the new settings file with the one that is there.
    private mutating func place(_ number: Int) {
        guard let put = next else { return end(number, knows: false) }
        (displaced, settings) = (settings, put)
        machines[number].settings = put
        if does(.order) {
            writers[number].step = .placed
        } else {
            (displaced, next) = (nil, nil)
            end(number, knows: false)
        }
    }

    private mutating func examine(_ number: Int) {
        if does(.examination), displaced != writers[number].view.settings {
            if let old = displaced, settings == next { settings = old }
            (displaced, next) = (nil, nil)
            return end(number, knows: false)
        }
        if let made = next { writers[number].view.settings = made }
        (displaced, next) = (nil, nil)
        machines[number].settings = settings
        guard writers[number].work == .checkpoint else {
            holder = nil
            writers[number].step = .named
            return
        }
        writers[number].step = .examined
    }

    private mutating func restart(_ number: Int, _ step: Step) {
        journal.nonce += 1
        journal.generation = max(writers[number].view.generation, writers[number].view.last)
        machines[number].journal = journal
        if does(.order) { noteSavedOver(number) }
        writers[number].step = step
    }

    // MARK: The reader, on the second machine

    private func stepsOfReader() -> [ProtocolModel] {
        if reader.step == .idle {
            guard left.reads > 0 else { return [] }
            return [with { $0.beginReading() }]
        }
        return [with { $0.goOnReading() }]
    }

    private mutating func beginReading() {
        left.reads -= 1
        reader.bound = known
        reader.isEarly = false
        let seen = seeGeneration(1)
        // What it has served is served again as long as nobody has committed; a save by hand is noticed a little later.
        if reader.isKnown, reader.view.generation == seen { return serve() }
        reader.view.generation = seen
        reader.view.journal = seeJournal(1)
        reader.step = .sawGeneration
    }

    private mutating func goOnReading() {
        switch reader.step {
        case .sawGeneration:
            reader.view.settings = seeSettings(1)
            reader.isEarly = isEarly
            reader.step = .sawSettings
        case .sawSettings:
            let seen = seeJournal(1)
            // The file goes on where the header that it knows left off.
            reader.view.journal.records = seen.records
            reader.step = .ready
        default:
            let seen = seeJournal(1)
            let known = reader.view.journal
            let isSame = seen.nonce == known.nonce && seen.generation == known.generation
            guard isSame || !does(.secondCheck) else {
                reader.view.journal = seen
                reader.view.generation = seeGeneration(1)
                reader.step = .sawGeneration
                return
            }
            // A commit that has begun is awaited by looking at each read.
            reader.isKnown = reader.view.generation == reader.view.last && !reader.isEarly
            serve()
        }
    }

    private mutating func serve() {
        reader.step = .idle
        if reader.isEarly { return }
        let values = reader.view.values
        // Of a commit and a save by hand at the same time, who takes no lock may see one without the other.
        let place = history.indices.last {
            history[$0].values.a == values.a && history[$0].commits >= reader.bound
                && $0 >= reader.served.place
        }
        guard let place, values.e >= reader.served.e else {
            violation = violation ?? "a reader was given what was older than what was known"
            return
        }
        reader.served = Served(place: place, e: values.e)
        known = max(known, history[place].commits)
    }
}

extension ProtocolModel {
    /// What the search has found.
    struct Outcome {
        var states = 0
        /// What went wrong first, if anything did.
        var violation: String?
    }

    /// Goes through every order of the steps, the shortest first, until something is wrong or nothing is left.
    static func search(_ bounds: Bounds = Bounds(), without leftOut: Precaution? = nil) -> Outcome {
        let start = ProtocolModel(bounds, without: leftOut)
        var seen: Set<ProtocolModel> = [start]
        var waiting = [start]
        var outcome = Outcome()
        while !waiting.isEmpty {
            var later: [ProtocolModel] = []
            for state in waiting {
                outcome.states += 1
                for next in state.successors {
                    if let violation = next.violation {
                        outcome.violation = violation
                        return outcome
                    }
                    if seen.insert(next).inserted { later.append(next) }
                }
            }
            waiting = later
        }
        return outcome
    }
}
