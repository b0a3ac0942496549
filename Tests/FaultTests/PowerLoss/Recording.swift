/// What a workload did to its folder, step by step, and which command was answered at which step.
struct Recording {
    /// A command, and the number of the step that answered it; nil where its process did not live to answer.
    struct Command: Equatable {
        let command: SuiteCommand
        let answered: Int?
        /// What the stored values may be once it is over: several, where a process died in a write.
        let possible: Set<StoredSettings>
    }

    let name: String
    /// The folder that holds the suite's folder, counted from the root; "" for the root itself.
    let parent: String
    var steps: [FolderStep]
    /// The path by which each file came to be.
    let files: [String]
    let commands: [Command]
    /// What was stored, on the disk, before the first step.
    var start: StoredSettings = [:]
    /// How many of the steps only tell what was on the disk before.
    var startingSteps = 0

    /// The same, as if the store had not made some calls.
    func without(_ isLeftOut: (FolderStep.Event) -> Bool) -> Recording {
        var recording = self
        recording.steps.removeAll { isLeftOut($0.event) }
        return recording
    }

    /// The same without some steps.
    func without(_ numbers: Set<Int>) -> Recording {
        var recording = self
        recording.steps.removeAll { numbers.contains($0.number) }
        return recording
    }

    /// The same without waiting for the data of the files that came to be under a name.
    func withoutSynchronizing(_ name: String) -> Recording {
        let files = files
        return without { event in
            guard case .synchronizeFile(let file, _) = event else { return false }
            return files[file].split(separator: "/").last.map(String.init) == name
        }
    }

    /// The waits for the disk, by what was waited for and what had happened right before.
    var waits: [String: Set<Int>] {
        var waits: [String: Set<Int>] = [:]
        var before = "nothing"
        for step in steps {
            guard let name = kind(of: step.event) else { continue }
            if name.hasPrefix("the wait") {
                waits["\(name), after \(before)", default: []].insert(step.number)
            }
            before = name
        }
        return waits
    }

    /// What happened, in words that are the same wherever the suite is; nil for an answer.
    private func kind(of event: FolderStep.Event) -> String? {
        switch event {
        case .answer: nil
        case .write(let file, _, _): "a write to \(place(files[file]))"
        case .resize(let file, _): "a cut of \(place(files[file]))"
        case .names(.add(let path, _)): "a new name \(place(path))"
        case .names(.remove(let path)): "the end of the name \(place(path))"
        case .names(.move(_, let path)): "a rename to \(place(path))"
        case .names(.exchange(_, let path)): "an exchange with \(place(path))"
        case .synchronizeFile(let file, _): "the wait for \(place(files[file]))"
        case .synchronizeFolder(let path, _): "the wait for the folder \(place(path))"
        }
    }

    /// A path, counted from the folder that holds the suite's folder.
    private func place(_ path: String) -> String {
        if path == parent { return "." }
        if parent.isEmpty { return path }
        return path.hasPrefix(parent + "/") ? String(path.dropFirst(parent.count + 1)) : "above"
    }

    /// The keys that foreign programs write.
    var foreignKeys: Set<String> { Set(commands.compactMap(\.command.foreignKey)) }
}

extension FolderStep {
    /// One short line for a report.
    func line(_ files: [String]) -> String {
        switch event {
        case .write(let file, let offset, let bytes):
            "\(number) write \(files[file])#\(file) at \(offset), \(bytes.count) bytes"
        case .resize(let file, let size): "\(number) cut \(files[file])#\(file) to \(size)"
        case .names(let change): "\(number) \(change)"
        case .synchronizeFile(let file, _): "\(number) fsync \(files[file])#\(file)"
        case .synchronizeFolder(let path, _): "\(number) fsync folder /\(path)"
        case .answer(let process, let text): "\(number) process \(process) answers \(text)"
        }
    }
}
