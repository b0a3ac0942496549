import TestSupport

/// Every state of a folder that a power loss may leave, as far as there are not too many.
struct PowerLoss {
    /// How many states of one point are all tried; of more, the corners and some chances.
    let limit: Int
    /// The same numbers in each run.
    private var random: SeededNumbers
    private var known: [Source: [FileContent]] = [:]

    private struct Source: Hashable {
        let file: Int
        let kept: Int
        let pending: [Int]
    }

    init(limit: Int, seed: UInt64 = 4) {
        self.limit = limit
        random = SeededNumbers(seed: seed)
    }

    /// The states that may be left when the power goes after so many of the steps, each once.
    mutating func states(after count: Int, of steps: [FolderStep]) -> Set<FolderState> {
        let point = CrashPoint(after: steps.prefix(count))
        var states: Set<FolderState> = []
        for order in CrashPoint.Order.allCases {
            let namings = point.namings(order, using: &random)
            for naming in namings {
                let choices = choices(naming, point)
                let total = choices.reduce(1) { $0 > limit ? $0 : $0 * $1.contents.count }
                let share = max(1, limit / namings.count)
                for picks in total <= share ? everyPick(choices) : somePicks(choices, share) {
                    states.insert(PowerLoss.state(naming, choices, picks))
                }
            }
        }
        return states
    }

    /// The files that have a name, with what each may hold.
    private typealias Choice = (file: Int, contents: [FileContent])

    private mutating func choices(_ naming: [String: FolderEntry], _ point: CrashPoint) -> [Choice] {
        let files = Set(
            naming.values.compactMap { entry in
                if case .file(let file) = entry { file } else { nil }
            })
        return files.sorted().map { number in
            let file = point.files[number] ?? CrashPoint.File()
            let source = Source(file: number, kept: file.kept.hashValue, pending: file.pending.map(\.number))
            let contents = known[source] ?? CrashPoint.contents(of: file, using: &random)
            known[source] = contents
            return (number, contents)
        }
    }

    private func everyPick(_ choices: [Choice]) -> [[Int]] {
        choices.reduce([[]]) { picks, choice in
            picks.flatMap { pick in choice.contents.indices.map { pick + [$0] } }
        }
    }

    /// Nothing, everything, each file alone with nothing or something else, and some chances.
    private mutating func somePicks(_ choices: [Choice], _ count: Int) -> [[Int]] {
        let none = choices.map { _ in 0 }
        let all = choices.map { min(1, $0.contents.count - 1) }
        let torn = choices.map { min(2, $0.contents.count - 1) }
        var picks = [none, all, torn]
        for place in choices.indices {
            for base in [none, all] {
                var pick = base
                pick[place] = base == none ? all[place] : none[place]
                picks.append(pick)
            }
        }
        while picks.count < count {
            picks.append(choices.map { Int.random(in: $0.contents.indices, using: &random) })
            var one = all
            if let place = choices.indices.randomElement(using: &random) {
                one[place] = Int.random(in: choices[place].contents.indices, using: &random)
            }
            picks.append(one)
        }
        return picks
    }

    private static func state(
        _ naming: [String: FolderEntry], _ choices: [Choice], _ picks: [Int]
    ) -> FolderState {
        var contents: [Int: FileContent] = [:]
        for (choice, pick) in zip(choices, picks) { contents[choice.file] = choice.contents[pick] }
        var (folders, files): (Set<String>, [String: (Int, FileContent)]) = ([], [:])
        for (path, entry) in naming {
            switch entry {
            case .file(let file): files[path] = (file, contents[file] ?? FileContent([]))
            case .folder: folders.insert(path)
            }
        }
        return FolderState(folders: folders, files: files)
    }
}
