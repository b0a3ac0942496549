/// F21: the way to a folder: every folder and every link on it belongs to root or to the process's user, and nobody else
/// can exchange one of them.
///
/// Otherwise another user could lead a program, root's above all, to any folder. Each step is opened in the one before
/// it, without following a link, and checked as it was opened; so nobody can exchange it between the check and the use.
/// Only what a sandbox of Apple's systems lets nobody open is checked by its name.
struct SafePath: ~Copyable {
    private let isOwnerFree: Bool
    private let path: String
    /// The path that is still to go, from a place on.
    ///
    /// Bytes, and no list of names: a new program goes this way first, and its first list of a kind takes longer than the
    /// way does.
    private var rest: [UInt8]
    private var place = 0
    /// How many more links are followed, as many as the kernel follows.
    private var links = 40
    private var around: FileStatus?
    /// The names between the folder that is open and the next one, if they may not be opened, and why.
    private var closed: (names: String, refusal: SystemError)?

    /// Opens a folder at the end of a path.
    ///
    /// - Parameters:
    ///   - creating: whether what is missing is created; all names on the way are durable then but the last one.
    ///   - allowsOthers: whether the folders, but not the links, may be other users', and others may write them.
    /// - Returns: nil if something is missing and is not to be created.
    /// - Throws: `.insecureDirectory` with the folder or link that is somebody else's.
    static func open(
        _ path: String, creating: Bool = false, allowsOthers: Bool
    ) throws(DefaultsError) -> Descriptor? {
        var way = SafePath(isOwnerFree: allowsOthers, path: path, rest: Array(path.utf8))
        return try way.go(creating)
    }

    /// Nil at the end of the path.
    private var next: (name: String, end: Int)? {
        let slash = UInt8(ascii: "/")
        var begin = place
        while begin < rest.count, rest[begin] == slash { begin += 1 }
        var end = begin
        while end < rest.count, rest[end] != slash { end += 1 }
        return begin == end ? nil : (String(decoding: rest[begin..<end], as: UTF8.self), end)
    }

    private mutating func go(_ creating: Bool) throws(DefaultsError) -> Descriptor? {
        var here = try root()
        while let (last, end) = next {
            let name = (closed?.names ?? "") + last
            do throws(SystemError) {
                here = try SystemCalls.holdFolder(name, in: here)
            } catch {
                if error.isMissing {
                    guard creating else { return nil }
                    // As the kernel has it: there is nothing above what is not there.
                    if SuiteLocation.parts(of: String(decoding: rest[end...], as: UTF8.self)).contains("..") {
                        throw .writing(path, error)
                    }
                    try checkAround(last)
                    try make(name, in: here)
                    continue
                }
                if error.isForbidden, SafePath.mayPass, try canPass(name, in: here) {
                    closed = (name + "/", error)
                    place = end
                    continue
                }
                try checkAround(last)
                guard error.isUnsafePlace, let target = try SafePath.linkTarget(name, in: here, path)
                else { throw .reading(path, error) }
                links -= 1
                guard links >= 0 else {
                    throw DefaultsError(
                        .insecureDirectory, path: path, underlyingDescription: "the links do not end")
                }
                if SystemCalls.isAbsolute(target) { here = try root() }
                rest = Array(target.utf8) + rest[end...]
                place = 0
                continue
            }
            closed = nil
            try check(here, name)
            place = end
        }
        if let closed { throw .reading(path, closed.refusal) }
        return try DefaultsError.reading(path, SystemCalls.open(".", in: here, .directory))
    }

    private mutating func root() throws(DefaultsError) -> Descriptor {
        let root: Descriptor
        do {
            root = try SystemCalls.holdRoot()
        } catch {
            guard error.isForbidden, SafePath.mayPass else { throw .reading("/", error) }
            (closed, around) = (("/", error), nil)
            // The names are those of a whole path then, to which it does not matter where they are looked up.
            return try DefaultsError.reading("/", SystemCalls.openFile("/dev/null"))
        }
        (closed, around) = (nil, nil)
        try check(root, "/")
        return root
    }

    /// Whether a folder that may not be opened may be passed by the names behind it.
    ///
    /// A sandbox of Apple's systems has programs look up names on the way to their own folders, and open nothing there.
    private static var mayPass: Bool {
        #if canImport(Darwin)
            true
        #else
            // A test has the calls answer as they do there.
            FaultInjection.strike("sandbox") != nil
        #endif
    }

    /// Whether what may not be opened is a folder, and nobody else's.
    ///
    /// One that may not even be looked at is the system's: who belongs to another user's group may look at it.
    private mutating func canPass(
        _ name: String, in folder: borrowing Descriptor
    ) throws(DefaultsError) -> Bool {
        let status: FileStatus
        do { status = try SystemCalls.status(name, in: folder) } catch {
            guard error.isForbidden else { throw .reading(path, error) }
            around = nil
            return true
        }
        try checkAround(name)
        if !isOwnerFree { try SafePath.check(status, in: around, path, "the folder \"\(name)\"") }
        guard !status.isSymbolicLink else { return false }
        around = status
        return true
    }

    /// Refuses a folder in which others can put something else in a name's place: who may write one that is sticky, as
    /// `/tmp` is, cannot.
    private func checkAround(_ name: String) throws(DefaultsError) {
        guard !isOwnerFree, name != "..", let around, !around.isSticky, around.canOthersWrite else { return }
        throw DefaultsError(
            .insecureDirectory, path: path,
            underlyingDescription: "others can write the folder that \"\(name)\" on its path is in")
    }

    private mutating func check(_ folder: borrowing Descriptor, _ name: String) throws(DefaultsError) {
        if isOwnerFree { return }
        try checkAround(name)
        let status = try DefaultsError.reading(path, SystemCalls.status(of: folder))
        try SafePath.check(status, in: name == ".." ? nil : around, path, "the folder \"\(name)\"")
        around = status
    }

    /// - Parameter around: the folder that it is in; nil if that cannot matter.
    private static func check(
        _ status: FileStatus, in around: FileStatus?, _ path: String, _ what: @autoclosure () -> String
    ) throws(DefaultsError) {
        if SuiteDirectory.isTrusted(owner: status.owner) { return }
        // What is in a folder that nobody else can write was put there by its owner, or by root.
        if isNameless(status.owner), around.map({ $0.permissions & 0o022 == 0 }) ?? true { return }
        throw DefaultsError(
            .insecureDirectory, path: path,
            underlyingDescription: "\(what()) on its path \(SuiteDirectory.belongs(to: status.owner))")
    }

    /// Whether an owner is one of those that have no number in the process's user namespace.
    ///
    /// Root outside of it is one of them, to whom `/` belongs there; nothing tells it from the others. So what belongs to
    /// one of them is taken for root's only where others cannot have put it.
    private static func isNameless(_ owner: UInt32) -> Bool {
        owner == SystemCalls.overflowUser && !SystemCalls.isMapped(user: owner)
    }

    /// Returns where a link leads that may be followed; nil for what is none.
    static func linkTarget(
        _ name: String, in folder: borrowing Descriptor, _ path: String
    ) throws(DefaultsError) -> String? {
        let link = try DefaultsError.reading(path, SystemCalls.link(name, in: folder))
        guard let link else { return nil }
        let around = try DefaultsError.reading(path, SystemCalls.status(of: folder))
        try check(link.status, in: around, path, "the link \"\(name)\"")
        return link.target
    }

    /// Creates a folder; it is a promise that the name of the one around it is durable.
    ///
    /// F21: root creates none in another user's folder, who would be shut out.
    private func make(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) {
        if closed == nil {
            try SafePath.refuseOthers(folder, path)
            try SafePath.synchronizeName(of: folder, path)
        }
        try DefaultsError.writing(path, SystemCalls.makeDirectory(name, in: folder))
    }

    /// Has root create nothing in another user's folder, whatever the caller allows.
    static func refuseOthers(_ folder: borrowing Descriptor, _ path: String) throws(DefaultsError) {
        guard SystemCalls.userID == 0 else { return }
        let status = try DefaultsError.reading(path, SystemCalls.status(of: folder))
        if status.owner == 0 || isNameless(status.owner) { return }
        throw DefaultsError(
            .insecureDirectory, path: path,
            underlyingDescription: "root creates nothing in a folder that "
                + SuiteDirectory.belongs(to: status.owner))
    }

    /// Waits until a folder's name is durable.
    static func synchronizeName(of folder: borrowing Descriptor, _ path: String) throws(DefaultsError) {
        do {
            try SystemCalls.synchronize(try SystemCalls.open("..", in: folder, .directory))
        } catch {
            // A folder that may not be read is not one in which we create others; and some file systems cannot sync
            // folders.
            if !error.isForbidden, !error.isUnsupported { throw .writing(path, error) }
        }
    }
}
