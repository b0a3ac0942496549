/// `check` with a schema that only the settings name: whatever stands there is never waited for, nor eats the memory.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ForeignSchemaTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// What `check` says of settings that name a schema, within bounds that only a failure reaches.
    private func check(naming reference: String) throws -> Workplace.Run {
        try place.save("{\"$schema\": \"\(reference)\", \"a\": 1}")
        try place.shell("chmod 600 \(place.file())")
        return try place.shell("ulimit -v 8000000; exec timeout 60 defaultsctl check -s player")
    }

    @Test(arguments: ["/dev/zero", "/dev/null", "./pipe", "./link", "./folder"])
    func `what is no regular file is not read`(reference: String) throws {
        try place.save("{}")
        let folder = URL(filePath: place.file()).deletingLastPathComponent().path
        let made = try place.shell("cd \(folder) && mkfifo pipe && ln -s pipe link && mkdir folder")
        #expect(made.status == 0)
        let run = try check(naming: reference)
        #expect(run.status == 2)
        #expect(run.output.contains("is no regular file, so the values were not checked"))
    }

    @Test func `a file that is too large is not read`() throws {
        try place.save("{}")
        try place.shell("truncate -s 67108865 \(place.file("large"))")
        let run = try check(naming: "./large")
        #expect(run.status == 2 && run.output.contains("is larger than 67108864 bytes"))
    }

    @Test func `a path with a zero byte is none`() throws {
        try place.save("{}")
        try Data("{}".utf8).write(to: URL(filePath: place.file("s.json")))
        let run = try check(naming: "./s.json%00")
        #expect(run.status == 2 && run.output.contains(#"s.json\u0000 is no path"#))
    }

    @Test func `a link to a file is followed`() throws {
        try place.save("{}")
        try Data(#"{"properties": {"a": {"type": "string"}}}"#.utf8)
            .write(to: URL(filePath: place.file("s.json")))
        try place.shell("ln -s s.json \(place.file("link"))")
        let run = try check(naming: "./link")
        #expect(run.status == 2 && run.output.contains("a: it has to be of type string"))
    }

    @Test func `a schema that a person names may be a pipe`() throws {
        try place.save(#"{"a": 1}"#)
        try place.shell("chmod 600 \(place.file())")
        let schema = #"{"properties": {"a": {"type": "string"}}}"#
        for name in ["/dev/stdin", "-"] {
            let run = try place.shell("echo '\(schema)' | defaultsctl check -s player --schema \(name)")
            #expect(run.status == 2 && run.output.contains("a: it has to be of type string"))
        }
    }
}
