/// What is on the disk for sure, and what may be, when the power goes after some steps.
///
/// Stricter than most file systems: data are kept by synchronizing the file, a name by synchronizing its folder, and
/// neither by the other. Permissions are not modelled: a file has those it was given.
struct CrashPoint {
    /// What a file holds for sure, and what was done to it since, in order.
    struct File {
        var kept: [UInt8] = []
        var pending: [FolderStep] = []
    }

    private(set) var files: [Int: File] = [:]
    /// The changes of names in order, each with whether it is kept for sure.
    private(set) var changes: [(change: NameChange, isKept: Bool)] = []

    /// Looks at the steps that are over.
    init(after steps: ArraySlice<FolderStep>) {
        var (data, names): ([Int: Int], [String: Int]) = ([:], [:])
        for step in steps {
            switch step.event {
            case .synchronizeFile(let file, let covering):
                data[file] = max(data[file] ?? 0, min(covering, step.number))
            case .synchronizeFolder(let path, let covering):
                names[path] = max(names[path] ?? 0, min(covering, step.number))
            case .write, .resize, .names, .answer: continue
            }
        }
        for step in steps {
            switch step.event {
            case .write(let file, _, _), .resize(let file, _):
                if step.number < data[file] ?? 0 {
                    CrashPoint.apply(step, to: &files[file, default: File()].kept)
                } else {
                    files[file, default: File()].pending.append(step)
                }
            case .names(let change):
                changes.append((change, change.folders.allSatisfy { step.number < names[$0] ?? 0 }))
            case .synchronizeFile, .synchronizeFolder, .answer: continue
            }
        }
    }

    /// Does to a file's bytes what a step did; where it leaves a gap, there are zeros.
    ///
    /// - Parameter count: how many bytes of a write are on the disk; nil for all.
    static func apply(_ step: FolderStep, first count: Int? = nil, to content: inout [UInt8]) {
        switch step.event {
        case .write(_, let offset, let bytes):
            let part = bytes.prefix(count ?? bytes.count)
            let end = offset + part.count
            if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
            content.replaceSubrange(offset..<end, with: part)
        case .resize(_, let size):
            if content.count > size { content.removeLast(content.count - size) }
            if content.count < size { content += [UInt8](repeating: 0, count: size - content.count) }
        case .names, .synchronizeFile, .synchronizeFolder, .answer: return
        }
    }
}
