/// One walk along a path; each step is watched for whatever would make the path lead elsewhere.
///
/// A folder is watched before its contents are checked, so that no change falls between the two.
struct PathWalk {
    /// The watches, which last as long as they are kept.
    private(set) var watches: [EventLoop.Watch] = []
    /// Whether the kernel notifies of every step.
    private(set) var isWhole = true

    private let work: CoalescedWork
    private let resource: WorkerPool.Resource
    /// The current position: a path without links, and with a slash at its end.
    private var folder = "/"
    /// The next one last.
    private var steps: [Substring]
    /// How many more links and changed names are tolerated.
    private var restartsLeft = 64

    /// Walks along a path as far as it leads.
    ///
    /// - Parameters:
    ///   - end: what is watched at its end.
    ///   - work: done after each change of the way.
    ///   - place: where it is done.
    init(_ path: String, to end: PathWatch.End, _ work: CoalescedWork, on resource: WorkerPool.Resource) {
        (self.work, self.resource) = (work, resource)
        steps = PathWalk.steps(of: path)
        do {
            let isThere = try go(toFolder: end != .file)
            if end == .names, isThere { try watchNames(nil) }
        } catch {
            // Such as a folder that may not be read.
            isWhole = false
        }
    }

    private static func steps(of path: String) -> [Substring] {
        SuiteLocation.parts(of: path).filter { $0 != "." }.reversed()
    }

    /// Whether the walk reached the end of the path; a file at the end need not exist.
    private mutating func go(toFolder: Bool) throws(SystemError) -> Bool {
        while let name = steps.popLast() {
            if name == ".." {
                leaveFolder()
            } else if !steps.isEmpty || toFolder {
                guard try enter(name) else { return false }
            } else {
                try watchNames(name)
                guard try isLink(name) else { return true }
                try follow(name)
            }
        }
        return true
    }

    private mutating func leaveFolder() {
        let parent = folder.dropLast().lastIndex(of: "/") ?? folder.startIndex
        folder = String(folder[...parent])
    }

    /// Enters a folder of this one, or the target of a link of that name; false if there is nothing of the kind yet.
    private mutating func enter(_ name: Substring) throws(SystemError) -> Bool {
        if try isFolder(name) { return try step(into: name) }
        // A link or nothing: either may soon be something else.
        try watchNames(name)
        if try isLink(name) {
            try follow(name)
            return true
        }
        return try isFolder(name) ? try step(into: name) : false
    }

    private mutating func step(into name: Substring) throws(SystemError) -> Bool {
        let path = folder + name
        do {
            let inside = try SystemCalls.openDirectory(path)
            try watch(inside, for: .place) { $0.name.isEmpty }
        } catch {
            guard error.isMissing || error.isUnsafePlace else { throw error }
            // It was a folder a moment ago.
            restart(steps + [name])
            return true
        }
        folder = path + "/"
        return true
    }

    private mutating func follow(_ name: Substring) throws(SystemError) {
        let target: String
        do { target = try SystemCalls.linkTarget(folder + name) } catch {
            guard error.isMissing || error.isUnsupported else { throw error }
            // It was a link a moment ago.
            return restart(steps + [name])
        }
        if target.hasPrefix("/") { folder = "/" }
        restart(steps + PathWalk.steps(of: target))
    }

    private mutating func restart(_ steps: [Substring]) {
        restartsLeft -= 1
        // A cycle of links, which a read of the file reports, or somebody who keeps changing them.
        if restartsLeft == 0 { isWhole = false }
        self.steps = restartsLeft > 0 ? steps : []
    }

    private func isLink(_ name: Substring) throws(SystemError) -> Bool {
        try status(name)?.isSymbolicLink ?? false
    }

    private func isFolder(_ name: Substring) throws(SystemError) -> Bool {
        try status(name)?.isDirectory ?? false
    }

    private func status(_ name: Substring) throws(SystemError) -> FileStatus? {
        do { return try SystemCalls.status(path: folder + name) } catch {
            if error.isMissing || error.isUnsafePlace { return nil }
            throw error
        }
    }

    /// Nil for all names.
    private mutating func watchNames(_ name: Substring?) throws(SystemError) {
        let wanted = name.map(String.init)
        try watch(try SystemCalls.openDirectory(folder), for: .names) { notice in
            notice.name.isEmpty || wanted.map { $0 == notice.name } ?? true
        }
    }

    private mutating func watch(
        _ folder: borrowing Descriptor, for interest: FileEvents.Interest,
        where isWanted: @escaping @Sendable (FileEvents.Notice) -> Bool
    ) throws(SystemError) {
        watches.append(
            try EventLoop.shared.watch(folder, for: interest, on: resource, work) { notice in
                notice.watch == nil || notice.isEnd || isWanted(notice)
            })
        // The kernel notifies of what this machine does, but of nobody else's changes.
        if !SystemCalls.fileSystem(of: folder).isLocal { isWhole = false }
    }
}
