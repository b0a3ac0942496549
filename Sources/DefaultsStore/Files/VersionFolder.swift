/// F27: the versions of a settings file: each a plain settings file, named after the time at which it was stored.
///
/// A version is put there as a whole after its settings file is in place, so whatever goes wrong costs a version and never
/// a setting. A lock file of their own keeps versions in order; no writer waits for it.
struct VersionFolder {
    /// A version in the folder.
    struct Entry: Hashable {
        let moment: VersionMoment
        let size: Int
    }

    private let settings: SuiteLocation

    init(of settings: SuiteLocation) { self.settings = settings }

    func path(of moment: VersionMoment) -> String { settings.version(moment.name).path }

    private func openExisting() throws(DefaultsError) -> Descriptor? {
        try SuiteDirectory.open(settings.version(""), creating: false)
    }

    /// The versions, the oldest first.
    func entries() throws(DefaultsError) -> [Entry] {
        guard let folder = try openExisting() else { return [] }
        return try entries(in: folder)
    }

    private func entries(in folder: borrowing Descriptor) throws(DefaultsError) -> [Entry] {
        try DefaultsError.reading(settings.version("").folder) { () throws(SystemError) in
            var entries: [Entry] = []
            for name in try SystemCalls.names(in: folder) {
                // What else is there is somebody's own.
                guard let moment = VersionMoment(name: name) else { continue }
                let status = try SystemError.nilIfMissing(SystemCalls.status(name, in: folder))
                if let status { entries.append(Entry(moment: moment, size: status.identity.size)) }
            }
            return entries.sorted { $0.moment < $1.moment }
        }
    }

    /// Reads a version; nil if it is not there any more.
    ///
    /// - Throws: `.insecureDirectory` for a link, or a file of another user's.
    func bytes(of moment: VersionMoment) throws(DefaultsError) -> [UInt8]? {
        guard let folder = try openExisting() else { return nil }
        return try read(moment.name, in: folder)
    }

    private func read(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) -> [UInt8]? {
        let path = settings.version(name).path
        guard let opened = try RegularFile.open(name, in: folder, path) else { return nil }
        return try RegularFile.readWhole(opened.file, opened.status, path).bytes
    }

    /// A settings file that is to be a version.
    struct File {
        let bytes: [UInt8]
        let moment: VersionMoment
    }

    /// Keeps settings files, the oldest first, each unless it is like the newest version; then removes those that are too
    /// many.
    ///
    /// - Parameter isInPlace: whether the last of them still is the settings file. Otherwise whoever has replaced it keeps
    ///   it, before the one that is there now: so versions are in the order in which they were stored.
    func keep(
        _ files: [File], within limit: DefaultsHistoryLimit, if isInPlace: () throws(DefaultsError) -> Bool
    ) throws(DefaultsError) {
        let folder = try WholeFile.openFolder(of: settings.version(""))
        let lock = try DefaultsError.writing(
            settings.version(VersionFolder.lock).path,
            SystemCalls.open(VersionFolder.lock, in: folder, .createOrOpen))
        try WriterLock.wait(
            for: lock, nil, until: .after(milliseconds: WriterLock.limit),
            settings.version(VersionFolder.lock).path)
        defer { VersionFolder.unlock(lock) }
        if try isInPlace() { try keep(files, within: limit, in: folder) }
    }

    private static let lock = "lock"

    /// Not by closing alone: a forked child may have the file too.
    private static func unlock(_ lock: borrowing Descriptor) {
        // If that fails, it is released with the descriptor.
        do { try SystemCalls.unlock(lock) } catch { return }
    }

    private func keep(
        _ files: [File], within limit: DefaultsHistoryLimit, in folder: borrowing Descriptor
    ) throws(DefaultsError) {
        WholeFile.removeLeftovers(in: folder)
        var entries = try entries(in: folder)
        var newest = try entries.last.flatMap { (entry) throws(DefaultsError) in
            try ifTrusted(entry.moment.name, in: folder)
        }
        for file in files where file.bytes != newest {
            try add(file, to: &entries, in: folder)
            newest = file.bytes
        }
        for entry in limit.surplus(of: entries) { try remove(entry.moment.name, in: folder) }
    }

    /// Nil for what is no version of this user's; whoever reads the versions is told of it.
    private func ifTrusted(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) -> [UInt8]?
    {
        do { return try read(name, in: folder) } catch {
            guard error.code == .insecureDirectory || error.code == .valueTooLarge else { throw error }
            return nil
        }
    }

    /// Adds a version as the newest one, whatever the clock says.
    private func add(
        _ file: File, to entries: inout [Entry], in folder: borrowing Descriptor
    ) throws(DefaultsError) {
        let moment = entries.last.map { max(file.moment, $0.moment.next) } ?? file.moment
        guard VersionMoment(name: moment.name) != nil else {
            throw DefaultsError(
                .ioFailure, path: entries.last.map { path(of: $0.moment) },
                underlyingDescription: "no version can come after that one"
            ).advising("Remove the file if its time is wrong.")
        }
        try put(file.bytes, named: moment.name, in: folder)
        entries.append(Entry(moment: moment, size: file.bytes.count))
    }

    private func put(
        _ bytes: [UInt8], named name: String, in folder: borrowing Descriptor
    ) throws(DefaultsError) {
        // Always its owner's alone: an old version may have what was a secret then.
        _ = try WholeFile.put(
            bytes, like: FileAttributes(of: nil), at: settings.version(name), in: folder)
    }

    private func remove(_ name: String, in folder: borrowing Descriptor) throws(DefaultsError) {
        try DefaultsError.writing(settings.version(name).path, SystemCalls.remove(name, in: folder))
    }

    /// Removes all versions, and what belongs to them; other files and the folder stay.
    func removeAll() throws(DefaultsError) {
        guard let folder = try openExisting() else { return }
        for entry in try entries(in: folder) { try remove(entry.moment.name, in: folder) }
        try remove(VersionFolder.undone, in: folder)
        try remove(VersionFolder.lock, in: folder)
    }

    private static let undone = "undone.json"

    /// Reads how far each key is undone; empty if nothing is.
    func undone() throws(DefaultsError) -> [UInt8] {
        guard let folder = try openExisting() else { return [] }
        return try read(VersionFolder.undone, in: folder) ?? []
    }

    func setUndone(_ text: [UInt8]) throws(DefaultsError) {
        try put(text, named: VersionFolder.undone, in: WholeFile.openFolder(of: settings.version("")))
    }
}

/// The time of a version, to the microsecond, as it stands in its name: `20261129T064012.123456Z.json`.
struct VersionMoment: Hashable, Comparable {
    /// Since 1970.
    let microseconds: Int64

    init(nanoseconds: Int64) { microseconds = max(0, nanoseconds / 1_000) }

    private init(microseconds: Int64) { self.microseconds = microseconds }

    var next: VersionMoment { VersionMoment(microseconds: microseconds + 1) }

    private static let daysTo2001 = 11_323
    private static let suffix = "Z.json"

    /// Nil for what is no version's name.
    init?(name: String) {
        let text = Array(name.utf8)
        guard text.count == 28, name.hasSuffix(VersionMoment.suffix), text[8] == UInt8(ascii: "T"),
            text[15] == UInt8(ascii: ".")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            text[range].reduce(0) { number, byte in
                guard let number, byte &- UInt8(ascii: "0") < 10 else { return nil }
                return number * 10 + Int(byte &- UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(4..<6), let date = number(6..<8),
            let day = CalendarDay(year: year, month: month, day: date), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), let rest = number(16..<22),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = ((day.number + VersionMoment.daysTo2001) * 24 + hour) * 3_600 + minute * 60 + second
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(rest))
    }

    var name: String { id + ".json" }

    var id: String {
        let (seconds, rest) = Int(microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let day = CalendarDay(number: days - VersionMoment.daysTo2001)
        return VersionMoment.digits(day.year, 4) + VersionMoment.digits(day.month, 2)
            + VersionMoment.digits(day.day, 2) + "T" + VersionMoment.digits(second / 3_600, 2)
            + VersionMoment.digits(second / 60 % 60, 2) + VersionMoment.digits(second % 60, 2) + "."
            + VersionMoment.digits(rest, 6) + "Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    static func < (left: VersionMoment, right: VersionMoment) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// How many versions of a settings file are kept: ``DefaultsSuite/keepHistory(_:includingSecrets:)``.
public enum DefaultsHistoryLimit: Hashable, Sendable {
    /// None.
    case off
    /// At most so many versions, of so many bytes together.
    ///
    /// The newer half of them are the latest ones. Of the rest, those go first that are of the same hour as another one, or
    /// of the same day when they are older than a day; then the oldest.
    case versions(Int, maximumBytes: Int = 4 << 20)

    /// Nil for a member that does not say it.
    init?(_ value: DefaultsValue) {
        guard let count = value.object?["versions"]?.int, count > 0,
            let bytes = value.object?["maximumBytes"]?.int, bytes > 0
        else { return nil }
        self = .versions(count, maximumBytes: bytes)
    }

    /// As a member of the settings file; nil for none.
    var value: DefaultsValue? {
        guard case .versions(let count, let bytes) = self else { return nil }
        return ["versions": .number(DefaultsNumber(count)), "maximumBytes": .number(DefaultsNumber(bytes))]
    }

    /// Returns those of some versions, the oldest first, that are too many; never the newest one.
    func surplus(of entries: [VersionFolder.Entry]) -> [VersionFolder.Entry] {
        guard case .versions(let count, let bytes) = self else { return entries }
        var (kept, surplus, size) = (entries, [VersionFolder.Entry](), entries.reduce(0) { $0 + $1.size })
        while kept.count > 1, kept.count > count || size > bytes {
            let removed = kept.remove(at: dispensable(of: kept, latest: (count + 1) / 2))
            size -= removed.size
            surplus.append(removed)
        }
        return surplus
    }

    /// Returns the place of the first version, before the latest ones, that is of the same time as the one behind it; else that of
    /// the oldest.
    private func dispensable(of entries: [VersionFolder.Entry], latest: Int) -> Int {
        guard let newest = entries.last?.moment.microseconds else { return 0 }
        let hour: Int64 = 3_600_000_000
        return entries.indices.dropLast(latest).first { place in
            let times = [entries[place], entries[place + 1]].map(\.moment.microseconds)
            let length = newest - times[0] < 24 * hour ? hour : 24 * hour
            return times[0] / length == times[1] / length
        } ?? 0
    }
}
