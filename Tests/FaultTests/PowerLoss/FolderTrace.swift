/// What some processes did to one folder, read from what strace wrote of them.
struct FolderTrace {
    /// A call on a file of the folder that this model does not know.
    struct NotModelled: Error {
        let call: TracedCall
    }

    /// The folder's absolute path without links.
    let root: String
    private(set) var steps: [FolderStep] = []
    /// The path by which each file came to be; its place is the file's number.
    private(set) var files: [String] = []
    private var names: [String: FolderEntry] = [:]
    private var sizes: [Int: Int] = [:]
    private var open: [Opened: Int] = [:]
    private var positions: [Opened: Int] = [:]

    private struct Opened: Hashable {
        let process: Int32
        let descriptor: Int
    }

    init(root: String) { self.root = root }

    /// The calls that strace has to write down for this.
    static let calls = """
        openat,open,creat,mkdir,mkdirat,rmdir,pwrite64,write,pwritev,pwritev2,writev,truncate,ftruncate,fallocate,\
        fsync,fdatasync,sync_file_range,copy_file_range,sendfile,rename,renameat,renameat2,link,linkat,symlink,\
        symlinkat,unlink,unlinkat,chmod,fchmod,clone,clone3
        """

    /// Reads one more log of processes that were each a single thread when it began.
    mutating func read(_ log: String) throws {
        let calls = try TracedCall.all(in: log)
        var makers: [Int32: Int32] = [:]
        for call in calls where call.name.hasPrefix("clone") {
            if let thread = call.result { makers[Int32(thread)] = call.thread }
        }
        // The number of the first step after each call, to tell what was there when a later call began.
        var next = [steps.count]
        for call in calls {
            var process = call.thread
            while let maker = makers[process] { process = maker }
            if let result = call.result {
                try take(call, result, by: process, covering: next[call.begun])
            }
            next.append(steps.count)
        }
    }

    /// Begins with what is on the disk already.
    mutating func begin(with state: FolderState) {
        for folder in state.folders.sorted() { add(folder, .folder) }
        for (path, content) in state.files.sorted(by: { $0.key < $1.key }) {
            if let earlier = state.links[path], let entry = names[earlier] {
                add(path, entry)
                continue
            }
            add(path, .file(files.count))
            append(.write(file: files.count, offset: 0, bytes: content.bytes))
            append(.synchronizeFile(files.count, covering: .max))
            sizes[files.count] = content.bytes.count
            files.append(path)
        }
        for folder in state.folders.union([""]).sorted() {
            append(.synchronizeFolder(folder, covering: .max))
        }
    }

    private mutating func add(_ path: String, _ entry: FolderEntry) {
        names[path] = entry
        append(.names(.add(path, entry)))
    }

    /// Adds a step by hand.
    mutating func append(_ event: FolderStep.Event) {
        steps.append(FolderStep(number: steps.count, event: event))
    }

    private mutating func take(
        _ call: TracedCall, _ result: Int, by process: Int32, covering: Int
    ) throws {
        switch call.name {
        case "openat" where call.has("O_TMPFILE", at: 2):
            try openUnnamed(call, Opened(process: process, descriptor: result))
        case "openat":
            try open(call, try call.path(1, in: 0), flags: 2, Opened(process: process, descriptor: result))
        case "open":
            try open(call, try call.path(0, in: nil), flags: 1, Opened(process: process, descriptor: result))
        case "write", "pwrite64", "pwritev": try write(call, result, by: process)
        case "ftruncate":
            guard let file = try file(of: call, by: process) else { return }
            resize(file, to: try call.number(1))
        case "fsync", "fdatasync": try synchronize(call, by: process, covering: covering)
        // It waits for nothing: what was written may be on the disk, or not, before and after it.
        case "sync_file_range": return
        case "clone", "clone3", "chmod", "fchmod": return
        case "linkat" where try call.text(1).hasPrefix(FolderTrace.ownFiles):
            try nameUnnamed(call, by: process)
        default: try changeNames(call)
        }
    }

    /// Where a process finds its open files.
    private static let ownFiles = "/proc/self/fd/"

    /// A file that has no name is none of a folder's until it is given one.
    private mutating func openUnnamed(_ call: TracedCall, _ opened: Opened) throws {
        open[opened] = nil
        guard let folder = try call.path(ofDescriptor: 0).flatMap(inside) else { return }
        open[opened] = files.count
        positions[opened] = 0
        files.append(folder + "/unnamed")
    }

    private mutating func nameUnnamed(_ call: TracedCall, by process: Int32) throws {
        guard let path = inside(try call.path(3, in: 2)) else { return }
        let number = Int(try call.text(1).dropFirst(FolderTrace.ownFiles.count)) ?? -1
        guard let file = open[Opened(process: process, descriptor: number)] else {
            throw NotModelled(call: call)
        }
        add(path, .file(file))
    }

    private mutating func open(_ call: TracedCall, _ path: String, flags: Int, _ opened: Opened) throws {
        open[opened] = nil
        guard let path = inside(path) else { return }
        if names[path] == nil, call.has("O_CREAT", at: flags) {
            add(path, .file(files.count))
            files.append(path)
        }
        guard case .file(let file) = names[path] else { return }
        open[opened] = file
        positions[opened] = call.has("O_APPEND", at: flags) ? nil : 0
        if call.has("O_TRUNC", at: flags), sizes[file, default: 0] > 0 { resize(file, to: 0) }
    }

    private mutating func resize(_ file: Int, to size: Int) {
        append(.resize(file: file, size: size))
        sizes[file] = size
    }

    private mutating func write(_ call: TracedCall, _ count: Int, by process: Int32) throws {
        if try call.descriptor(0) == 1, call.name == "write" {
            return answers(try call.text(1).dropLast(), process)
        }
        guard let file = try file(of: call, by: process), let number = try call.descriptor(0) else { return }
        let opened = Opened(process: process, descriptor: number)
        let size = sizes[file, default: 0]
        let offset =
            call.name == "write" ? positions[opened] ?? size : try call.number(call.arguments.count - 1)
        append(.write(file: file, offset: offset, bytes: Array(try call.bytes(1).prefix(count))))
        sizes[file] = max(size, offset + count)
        if call.name == "write", positions[opened] != nil { positions[opened] = offset + count }
    }

    private mutating func answers(_ said: Substring, _ process: Int32) {
        for line in said.split(separator: "\n", omittingEmptySubsequences: false) {
            append(.answer(process: process, text: String(line)))
        }
    }

    private mutating func synchronize(_ call: TracedCall, by process: Int32, covering: Int) throws {
        guard let path = try call.path(ofDescriptor: 0).flatMap(inside) else { return }
        if path.isEmpty || names[path] == .folder {
            append(.synchronizeFolder(path, covering: covering))
        } else if let file = try file(of: call, by: process) {
            append(.synchronizeFile(file, covering: covering))
        }
    }

    /// The file behind a call's descriptor; nil where it is none of the folder's.
    private func file(of call: TracedCall, by process: Int32) throws -> Int? {
        guard let path = try call.path(ofDescriptor: 0).flatMap(inside), let number = try call.descriptor(0)
        else { return nil }
        if let file = open[Opened(process: process, descriptor: number)] { return file }
        guard case .file(let file) = names[path] else { throw NotModelled(call: call) }
        return file
    }

    private mutating func changeNames(_ call: TracedCall) throws {
        guard let change = try nameChange(call) else { return }
        change.apply(to: &names)
        append(.names(change))
    }

    private func nameChange(_ call: TracedCall) throws -> NameChange? {
        switch call.name {
        case "mkdir": return try inside(call.path(0, in: nil)).map { .add($0, .folder) }
        case "mkdirat": return try inside(call.path(1, in: 0)).map { .add($0, .folder) }
        case "unlink", "rmdir": return try inside(call.path(0, in: nil)).map { .remove($0) }
        case "unlinkat": return try inside(call.path(1, in: 0)).map { .remove($0) }
        case "rename": return try move(call, call.path(0, in: nil), call.path(1, in: nil))
        case "renameat": return try move(call, call.path(1, in: 0), call.path(3, in: 2))
        case "renameat2":
            return try move(
                call, call.path(1, in: 0), call.path(3, in: 2), exchanges: call.has("RENAME_EXCHANGE", at: 4))
        case "link": return try link(call, call.path(0, in: nil), call.path(1, in: nil))
        case "linkat": return try link(call, call.path(1, in: 0), call.path(3, in: 2))
        default:
            if call.arguments.contains(where: { $0.contains(TracedCall.encoded(root)) }) {
                throw NotModelled(call: call)
            }
            return nil
        }
    }

    private func move(_ call: TracedCall, _ old: String, _ new: String, exchanges: Bool = false) throws
        -> NameChange?
    {
        guard let from = inside(old), let to = inside(new) else {
            if inside(old) == nil, inside(new) == nil { return nil }
            throw NotModelled(call: call)
        }
        return exchanges ? .exchange(from, to) : .move(from, to: to)
    }

    private func link(_ call: TracedCall, _ old: String, _ new: String) throws -> NameChange? {
        guard let to = inside(new) else { return nil }
        guard let from = inside(old), let entry = names[from] else { throw NotModelled(call: call) }
        return .add(to, entry)
    }

    /// The path counted from the root; nil where it is outside.
    private func inside(_ path: String) -> String? {
        if path == root { return "" }
        return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : nil
    }
}
