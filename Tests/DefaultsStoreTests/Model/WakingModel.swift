/// How those who commit wake those who listen, as steps small enough that every order of them can be gone through;
/// `Doorbell` and Protocol.md tell what it stands for.
///
/// A note counts for the next commit but one, and is renewed as soon as there was a commit.
struct WakingModel: Hashable {
    /// What may be left out, to see that it is missed.
    enum Precaution: CaseIterable {
        /// Who listens sees to the note before it looks for records.
        case noteFirst
        /// Who listens renews a note that has become old.
        case renewal
        /// Who has written a note looks at it once more.
        case secondCheck
        /// Who finds its own note old rings for those who committed meanwhile.
        case ringForOthers
        /// Who commits looks at the note after the record is there.
        case laterLook
        /// A thread tells the others of its process of a commit that is due when the record is there.
        case laterDue
        /// Who has committed rings.
        case ring
        /// All who listen are told of a death.
        case closing
    }

    /// How often things happen, and how many there are.
    struct Bounds: Hashable {
        var commits = 3
        var deaths = 1
        var writers = 2
        var listeners = 2
        /// Whether the writers are threads of one process, of which either may ring for both.
        var areThreads = false
    }

    enum WriterStep: Int { case idle, locked, raised, appended, unlocked, ringing }
    enum ListenerStep: Int { case asleep, woken, noting, writing, ringing, loading, dead }

    struct Writer: Hashable {
        var step = WriterStep.idle
        /// The generation before its commit.
        var before = 0
        /// What it saw when it looked at the note too early.
        var saw: Bool?

        /// A number for each state that it can be in, with what it has due.
        func number(_ due: Int) -> Int {
            ((step.rawValue * 8 + before) * 8 + due) * 4 + (saw.map { $0 ? 2 : 1 } ?? 0)
        }
    }

    struct Listener: Hashable {
        // When it begins, its watch is in place, and nothing else.
        var step = ListenerStep.noting
        var isTold = false
        /// The last record that it has.
        var loaded = 0
        /// The generation that it is about to note.
        var seen = 0
        var hasNoted = false

        /// A number for each state that it can be in.
        var number: Int {
            ((step.rawValue * 8 + loaded) * 8 + seen) * 4 + (isTold ? 2 : 0) + (hasNoted ? 1 : 0)
        }
    }

    var left: Bounds
    let leftOut: Precaution?
    var generation = 0
    var record = 0
    /// One more than a generation; 0 for none.
    var note = 0
    var holder: Int?
    var due: [Int]
    var writers: [Writer]
    var listeners: [Listener]

    init(_ bounds: Bounds = Bounds(), without leftOut: Precaution? = nil) {
        left = bounds
        self.leftOut = leftOut
        due = Array(repeating: 0, count: bounds.writers)
        writers = Array(repeating: Writer(), count: bounds.writers)
        listeners = Array(repeating: Listener(), count: bounds.listeners)
    }

    private func does(_ precaution: Precaution) -> Bool { leftOut != precaution }

    /// Whether a writer that found a generation before its commit finds that somebody listens.
    private func hasListener(at generation: Int) -> Bool { note != 0 && generation - (note - 1) <= 1 }
    private var isRecent: Bool { does(.renewal) ? note == generation + 1 : note != 0 }

    /// Whether somebody sleeps who does not have the last record, and nobody is left who will wake it.
    var isMissed: Bool {
        let isQuiet =
            writers.allSatisfy { $0.step == .idle }
            && listeners.allSatisfy { $0.step == .dead || $0.step == .asleep && !$0.isTold }
        return isQuiet && listeners.contains { $0.step == .asleep && $0.loaded != record }
    }

    /// Every state that one step of anybody leads to.
    var successors: [WakingModel] {
        var all: [WakingModel] = []
        for writer in writers.indices {
            switch writers[writer].step {
            case .idle where left.commits == 0 || holder != nil: break
            default: all.append(with { $0.go(writer) })
            }
            let isMiddle = writers[writer].step != .idle
            if isMiddle, left.deaths > 0 { all.append(with { $0.die(writer: writer) }) }
        }
        for listener in listeners.indices {
            let step = listeners[listener].step
            if step == .dead || step == .asleep && !listeners[listener].isTold { continue }
            all.append(with { $0.listen(listener) })
            if left.deaths > 0 { all.append(with { $0.die(listener: listener) }) }
        }
        return all
    }

    private func with(_ body: (inout WakingModel) -> Void) -> WakingModel {
        var next = self
        body(&next)
        return next
    }

    private mutating func tellAll() {
        for place in listeners.indices where listeners[place].step != .dead { listeners[place].isTold = true }
    }

    // MARK: Steps of a writer

    private mutating func go(_ number: Int) {
        let process = left.areThreads ? 0 : number
        func noteDue(_ model: inout WakingModel) {
            if model.due[process] == 0 { model.due[process] = model.writers[number].before + 1 }
        }
        switch writers[number].step {
        case .idle:
            left.commits -= 1
            holder = number
            writers[number].step = .locked
        case .locked:
            writers[number].before = generation
            if !does(.laterLook) { writers[number].saw = hasListener(at: generation) }
            if !does(.laterDue) { noteDue(&self) }
            generation += 1
            writers[number].step = .raised
        case .raised:
            record = generation
            writers[number].step = .appended
        case .appended:
            if does(.laterDue) { noteDue(&self) }
            holder = nil
            writers[number].step = .unlocked
        case .unlocked:
            let before = due[process]
            due[process] = 0
            let rings = before != 0 && (writers[number].saw ?? hasListener(at: before - 1))
            writers[number] = Writer(step: rings && does(.ring) ? .ringing : .idle)
        case .ringing:
            tellAll()
            writers[number] = Writer()
        }
    }

    private mutating func die(writer number: Int) {
        left.deaths -= 1
        for place in writers.indices where place == number || left.areThreads {
            if holder == place { holder = nil }
            writers[place] = Writer()
            due[place] = 0
        }
        if does(.closing) { tellAll() }
    }

    // MARK: Steps of one who listens

    private mutating func listen(_ number: Int) {
        switch listeners[number].step {
        case .asleep:
            listeners[number].isTold = false
            listeners[number].step = .woken
        case .woken:
            let isKnown = generation == listeners[number].loaded && isRecent
            listeners[number].step = isKnown ? .asleep : does(.noteFirst) ? .noting : .loading
        case .noting:
            if isRecent {
                finishNoting(number)
            } else {
                listeners[number].seen = generation
                listeners[number].step = .writing
            }
        case .writing:
            note = listeners[number].seen + 1
            if does(.secondCheck), !isRecent {
                listeners[number].hasNoted = true
                listeners[number].step = .noting
            } else {
                finishNoting(number)
            }
        case .ringing:
            tellAll()
            listeners[number].hasNoted = false
            listeners[number].step = does(.noteFirst) ? .loading : .asleep
        case .loading:
            listeners[number].loaded = record
            listeners[number].step = does(.noteFirst) || isRecent ? .asleep : .noting
        case .dead: break
        }
    }

    private mutating func finishNoting(_ number: Int) {
        let rings = listeners[number].hasNoted && does(.ringForOthers)
        if !rings { listeners[number].hasNoted = false }
        listeners[number].step = rings ? .ringing : does(.noteFirst) ? .loading : .asleep
    }

    private mutating func die(listener number: Int) {
        left.deaths -= 1
        listeners[number] = Listener(step: .dead)
        if does(.closing) { tellAll() }
    }
}

extension WakingModel {
    /// Goes through every order of the steps.
    ///
    /// - Returns: whether somebody sleeps through a commit in any of them, and how many states there are.
    static func search(
        _ bounds: Bounds, without leftOut: Precaution? = nil
    ) -> (isMissed: Bool, states: Int) {
        let start = WakingModel(bounds, without: leftOut)
        var (seen, open) = (Set([start]), [start])
        while let state = open.popLast() {
            if state.isMissed { return (true, seen.count) }
            for var next in state.successors {
                next.order()
                if seen.insert(next).inserted { open.append(next) }
            }
        }
        return (false, seen.count)
    }

    /// Puts two writers, and two who listen, into one order: which of them is which makes no difference, so that a
    /// quarter of the states are enough.
    private mutating func order() {
        for place in 1..<listeners.count where listeners[place].number < listeners[place - 1].number {
            listeners.swapAt(place, place - 1)
        }
        for place in 1..<writers.count {
            let other = place - 1
            let numbers = [other, place].map { writers[$0].number(due[$0]) }
            guard numbers[1] < numbers[0] else { continue }
            writers.swapAt(place, other)
            holder = holder == place ? other : holder == other ? place : holder
            // What threads have due is their process's.
            if !left.areThreads { due.swapAt(place, other) }
        }
    }
}
