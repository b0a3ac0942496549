/// One thing that happened to a folder, or that a process said, in the one order of a trace.
struct FolderStep: Equatable {
    /// Its place in the trace; it stays when other steps are left out.
    let number: Int
    let event: Event

    /// What happened.
    enum Event: Equatable {
        case write(file: Int, offset: Int, bytes: [UInt8])
        case resize(file: Int, size: Int)
        case names(NameChange)
        /// The file's data from the steps before number `covering` are on the disk; its name is not.
        case synchronizeFile(Int, covering: Int)
        /// The names in the folder from the steps before number `covering` are on the disk; no data is.
        case synchronizeFolder(String, covering: Int)
        /// A process answered a command.
        case answer(process: Int32, text: String)
    }
}

/// What a name stands for: a file by its number, or a folder.
enum FolderEntry: Hashable {
    case file(Int)
    case folder
}

/// A change of names, the paths counted from the folder that is looked at.
enum NameChange: Equatable {
    case add(String, FolderEntry)
    case remove(String)
    case move(String, to: String)
    case exchange(String, String)

    /// The paths whose meaning changes.
    var paths: [String] {
        switch self {
        case .add(let path, _), .remove(let path): [path]
        case .move(let old, let new), .exchange(let old, let new): [old, new]
        }
    }

    /// The folders that have to be synchronized to keep the change.
    var folders: Set<String> { Set(paths.map(NameChange.folder)) }

    /// Does to some names what was done.
    func apply(to names: inout [String: FolderEntry]) {
        switch self {
        case .add(let path, let entry): names[path] = entry
        case .remove(let path): names[path] = nil
        case .move(let old, let new):
            // Two names of one file: the system does nothing.
            guard let entry = names[old], entry != names[new] || entry == .folder else { return }
            names[old] = nil
            names[new] = entry
        case .exchange(let one, let other): (names[one], names[other]) = (names[other], names[one])
        }
    }

    /// The folder of a path; "" is the one that is looked at.
    static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
