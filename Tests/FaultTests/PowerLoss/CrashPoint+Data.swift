/// The contents that a power loss may leave in one file.
extension CrashPoint {
    /// Up to so many steps since the file was synchronized, any of them may be missing.
    ///
    /// Of more: all from one on, any single one, and some chances.
    static let exhaustive = 5

    /// All contents, each once: first with nothing of what is pending, then with all of it, then the others.
    ///
    /// Of the steps that are there, the last one may be torn at several places, and what it would have added to the
    /// file may read as zeros.
    static func contents(of file: File, using random: inout some RandomNumberGenerator) -> [FileContent] {
        var seen: Set<FileContent> = []
        var contents: [FileContent] = []
        func add(_ bytes: [UInt8]) {
            let content = FileContent(bytes)
            if seen.insert(content).inserted { contents.append(content) }
        }
        add(file.kept)
        add(applying(file.pending, to: file.kept))
        for steps in subsets(of: file.pending, using: &random) {
            guard let last = steps.last else { continue }
            let before = applying(steps.dropLast(), to: file.kept)
            add(applying([last], to: before))
            for content in torn(last, on: before) { add(content) }
        }
        return contents
    }

    private static func applying(_ steps: some Sequence<FolderStep>, to content: [UInt8]) -> [UInt8] {
        steps.reduce(into: content) { apply($1, to: &$0) }
    }

    /// What there may be of one write.
    private static func torn(_ step: FolderStep, on content: [UInt8]) -> [[UInt8]] {
        guard case .write(_, let offset, let bytes) = step.event else { return [] }
        let cuts = Set([0, 1, bytes.count / 3, bytes.count / 2, bytes.count - 1].filter { $0 >= 0 }).sorted()
        return cuts.flatMap { cut in
            var short = content
            if cut > 0 { apply(step, first: cut, to: &short) }
            let end = offset + bytes.count
            return [short + [UInt8](repeating: 0, count: max(0, end - short.count)), short]
        }
    }

    private static func subsets(
        of steps: [FolderStep], using random: inout some RandomNumberGenerator
    ) -> [[FolderStep]] {
        guard steps.count > exhaustive else {
            return (0..<(1 << steps.count)).reversed().map { mask in
                steps.indices.filter { mask & (1 << $0) != 0 }.map { steps[$0] }
            }
        }
        let recent = max(0, steps.count - 12)
        let prefixes = (recent...steps.count).reversed().map { Array(steps[..<$0]) }
        let gaps = (recent..<steps.count).map { gap in steps.indices.filter { $0 != gap }.map { steps[$0] } }
        let chances = (0..<8).map { _ in steps.filter { _ in Bool.random(using: &random) } }
        return prefixes + gaps + chances
    }
}
