/// strace's lines are read for what they say, and none is misread.
import Testing

struct TracedCallTests {
    @Test
    func `a call has its thread, its arguments and its result`() throws {
        let calls = try TracedCall.all(
            in: #"712  pwrite64(5<\x2f\x61>, "\x7b\x22\x2c\x29", 4, 0)    = 4"#)
        #expect(calls.map(\.thread) == [712])
        #expect(calls.map(\.name) == ["pwrite64"])
        #expect(try calls.first?.bytes(1) == Array(#"{",)"#.utf8))
        #expect(try calls.first?.number(3) == 0)
        #expect(try calls.first?.path(ofDescriptor: 0) == "/a")
        #expect(calls.map(\.result) == [4])
    }

    @Test
    func `a call that others interrupt comes when it is over, and knows when it began`() throws {
        let calls = try TracedCall.all(
            in: """
                1 fsync(3<\\x61> <unfinished ...>
                2 ftruncate(4<\\x61>, 9 <unfinished ...>
                3 fsync(5<\\x61>) = 0
                2 <... ftruncate resumed>)  = 0
                1 <... fsync resumed>)      = 0
                """)
        #expect(calls.map(\.thread) == [3, 2, 1])
        #expect(calls.map(\.begun) == [0, 0, 0])
        #expect(calls.map(\.arguments) == [[#"5<\x61>"#], [#"4<\x61>"#, "9"], [#"3<\x61>"#]])
    }

    @Test(arguments: [
        "1 unlink(\"\\x61\") = -1 ENOENT (No such file or directory)", "1 fsync(3) = ?",
        "1 fsync(3) = -1 EIO (Input/output error) (INJECTED)",
    ])
    func `a refused call and one that a process died in have no result`(_ line: String) throws {
        #expect(try TracedCall.all(in: line).map(\.result) == [nil])
    }

    @Test
    func `what is no call is passed over`() throws {
        let log = """
            1 +++ exited with 0 +++
            1 --- SIGKILL {si_signo=SIGKILL} ---
            1 fsync(3 <unfinished ...>
            1 +++ killed by SIGKILL +++
            """
        #expect(try TracedCall.all(in: log) == [])
    }

    @Test
    func `commas in structures and vectors part no arguments`() throws {
        let call = try TracedCall.all(
            in: #"1 pwritev(3, [{iov_base="\x61\x2c", iov_len=2}, {iov_base="\x62", iov_len=1}], 2, 7) = 3"#)
        #expect(call.first?.arguments.count == 4)
        #expect(try call.first?.bytes(1) == Array("a,b".utf8))
    }

    @Test(arguments: ["1 write(1, \"\\x61\"..., 9) = 9", "1 write(1, \"plain\", 5) = 5"])
    func `a text that is not all there is refused`(_ line: String) throws {
        let calls = try TracedCall.all(in: line)
        #expect(throws: TracedCall.Unreadable.self) { try calls.first?.bytes(1) }
    }

    @Test(arguments: ["no thread", "1 nothing", "1 <... fsync resumed>) = 0"])
    func `a line that is none of strace's is refused`(_ line: String) throws {
        #expect(throws: TracedCall.Unreadable.self) { try TracedCall.all(in: line) }
    }
}
