/// Calls become steps on the right files, whatever their names are by then.
import Testing

struct FolderTraceTests {
    /// The events of a log, in which `'text'` stands for a text and `<path>` for a descriptor's path.
    private func events(_ log: String) throws -> [FolderStep.Event] {
        var trace = FolderTrace(root: "/r")
        try trace.read(FolderTraceTests.encoded(log))
        #expect(trace.steps.map(\.number) == Array(trace.steps.indices))
        return trace.steps.map(\.event)
    }

    /// Texts and paths in strace's hexadecimal digits.
    private static func encoded(_ log: String) -> String {
        var result = ""
        for (place, part) in log.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            result += place % 2 == 1 ? "\"\(TracedCall.encoded(String(part)))\"" : paths(String(part))
        }
        return result
    }

    private static func paths(_ text: String) -> String {
        text.replacing(/<(\/[^>]*)>/) { "<\(TracedCall.encoded(String($0.output.1)))>" }
    }

    @Test
    func `a file is written, synchronized and renamed`() throws {
        let steps = try events(
            """
            1 openat(3</r>, 'T', O_RDWR|O_CREAT|O_EXCL, 0600) = 5</r/T>
            1 pwrite64(5</r/T>, 'abc', 3, 0) = 3
            1 fsync(5</r/T>) = 0
            1 renameat(3</r>, 'T', 3</r>, 'S') = 0
            1 ftruncate(5</r/S>, 2) = 0
            1 fsync(3</r>) = 0
            1 write(1<socket:[7]>, 'ok
            ', 3) = 3
            """)
        #expect(
            steps == [
                .names(.add("T", .file(0))), .write(file: 0, offset: 0, bytes: Array("abc".utf8)),
                .synchronizeFile(0, covering: 2), .names(.move("T", to: "S")), .resize(file: 0, size: 2),
                .synchronizeFolder("", covering: 5), .answer(process: 1, text: "ok"),
            ])
    }

    @Test
    func `a file without a name comes to be when it is given one, with all that was done to it`() throws {
        let steps = try events(
            """
            1 openat(3</r>, '.', O_RDWR|O_CLOEXEC|O_TMPFILE, 0600) = 5</r/#7 (deleted)>
            1 pwrite64(5</r/#7 (deleted)>, 'abc', 3, 0) = 3
            1 fsync(5</r/#7 (deleted)>) = 0
            1 linkat(AT_FDCWD</w>, '/proc/self/fd/5', 3</r>, 'T', AT_SYMLINK_FOLLOW) = 0
            1 pwrite64(5</r/T>, 'd', 1, 3) = 1
            """)
        #expect(
            steps == [
                .write(file: 0, offset: 0, bytes: Array("abc".utf8)), .synchronizeFile(0, covering: 1),
                .names(.add("T", .file(0))), .write(file: 0, offset: 3, bytes: Array("d".utf8)),
            ])
    }

    @Test
    func `an exchange keeps each file's descriptor with the file`() throws {
        let steps = try events(
            """
            1 openat(3</r>, 'S', O_RDWR|O_CREAT, 0600) = 5</r/S>
            1 openat(3</r>, 'T', O_RDWR|O_CREAT, 0600) = 6</r/T>
            1 linkat(3</r>, 'T', 3</r>, 'X', 0) = 0
            1 renameat2(3</r>, 'X', 3</r>, 'S', RENAME_EXCHANGE) = 0
            1 pwrite64(5</r/X>, 'a', 1, 0) = 1
            1 unlinkat(3</r>, 'X', 0) = 0
            1 unlinkat(3</r>, 'X', 0) = -1 ENOENT (No such file or directory)
            1 pwrite64(5</r/X>(deleted), 'b', 1, 1) = 1
            """)
        #expect(
            steps == [
                .names(.add("S", .file(0))), .names(.add("T", .file(1))), .names(.add("X", .file(1))),
                .names(.exchange("X", "S")), .write(file: 0, offset: 0, bytes: [97]), .names(.remove("X")),
                .write(file: 0, offset: 1, bytes: [98]),
            ])
    }

    @Test
    func `one number is another file's in another process, and a thread shares its process's`() throws {
        let steps = try events(
            """
            1 openat(3</r>, 'a', O_RDWR|O_CREAT, 0600) = 5</r/a>
            2 openat(3</r>, 'b', O_RDWR|O_CREAT, 0600) = 5</r/b>
            1 clone3({flags=CLONE_VM|CLONE_THREAD} => {parent_tid=[9]}, 88) = 9
            9 renameat(3</r>, 'a', 3</r>, 'c') = 0
            9 pwrite64(5</r/c>, 'x', 1, 0) = 1
            2 pwrite64(5</r/b>, 'y', 1, 0) = 1
            """)
        #expect(
            steps.suffix(2) == [
                .write(file: 0, offset: 0, bytes: [120]), .write(file: 1, offset: 0, bytes: [121]),
            ])
    }

    @Test
    func `a wait covers only what was over when it began`() throws {
        let steps = try events(
            """
            1 openat(3</r>, 'a', O_RDWR|O_CREAT, 0600) = 5</r/a>
            1 fdatasync(5</r/a> <unfinished ...>
            2 pwrite64(7</r/a>, 'x', 1, 0) = 1
            1 <... fdatasync resumed>) = 0
            """)
        #expect(steps.last == .synchronizeFile(0, covering: 1))
    }

    @Test
    func `plain writes go on where the last one ended, and opening anew may cut the file`() throws {
        let steps = try events(
            """
            1 openat(AT_FDCWD</>, '/r/a', O_WRONLY|O_CREAT|O_TRUNC, 0600) = 5</r/a>
            1 write(5</r/a>, 'ab', 2) = 2
            1 write(5</r/a>, 'cd', 2) = 1
            1 openat(AT_FDCWD</>, '/r/a', O_WRONLY|O_CREAT|O_TRUNC, 0600) = 5</r/a>
            1 write(5</r/a>, 'e', 1) = 1
            """)
        #expect(
            steps == [
                .names(.add("a", .file(0))), .write(file: 0, offset: 0, bytes: [97, 98]),
                .write(file: 0, offset: 2, bytes: [99]), .resize(file: 0, size: 0),
                .write(file: 0, offset: 0, bytes: [101]),
            ])
    }

    @Test
    func `what is outside of the folder is none of its steps`() throws {
        let steps = try events(
            """
            1 openat(3</rr>, 'a', O_RDWR|O_CREAT, 0600) = 5</rr/a>
            1 pwrite64(5</rr/a>, 'x', 1, 0) = 1
            1 write(6<anon_inode:[eventfd]>, 'x', 1) = 1
            1 mkdir('/r', 0700) = -1 EEXIST (File exists)
            1 fsync(3</rr>) = 0
            """)
        #expect(steps == [])
    }

    @Test func `to begin to write a file's bytes promises nothing`() throws {
        let steps = try events(
            """
            1 openat(AT_FDCWD</>, '/r/a', O_RDWR|O_CREAT, 0600) = 5</r/a>
            1 pwrite64(5</r/a>, 'x', 1, 0) = 1
            1 sync_file_range(5</r/a>, 0, 0, SYNC_FILE_RANGE_WRITE) = 0
            """)
        #expect(steps == [.names(.add("a", .file(0))), .write(file: 0, offset: 0, bytes: [120])])
    }

    @Test(arguments: ["1 fallocate(5</r/a>, 0, 0, 9) = 0", "1 truncate('/r/a', 9) = 0"])
    func `a call that the model does not know is refused`(_ line: String) throws {
        #expect(throws: FolderTrace.NotModelled.self) { try events(line) }
    }
}
