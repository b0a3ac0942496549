import TypedDefaults

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    // Preconcurrency, because musl's list of variables is a plain global, which is only read here.
    @preconcurrency import Musl
#else
    import Glibc
#endif

/// This process's id.
var processID: Int32 { getpid() }

/// What the second process does: it opens the suite by its name and writes.
func beTheSecondProcess(in folder: String) throws {
    let suite = try DefaultsSuite("player", in: folder)
    try suite.modify(.quality) { $0 += 0.1 }
    print("   the second process (\(processID)) wrote quality \(suite[.quality])")
}

/// Starts this program again as the second process and lets it run.
func startTheSecondProcess(in folder: String) throws {
    fflush(nil)
    var child = pid_t()
    let program = CommandLine.arguments[0]
    var arguments = [strdup(program), strdup(folder), nil]
    defer { arguments.forEach { free($0) } }
    guard posix_spawnp(&child, program, nil, nil, &arguments, environ) == 0 else {
        throw QuickstartFailure(what: "the second process cannot be started")
    }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child, status == 0 else {
        throw QuickstartFailure(what: "the second process failed")
    }
}

/// The settings file as it is on the disk.
func textOfSettings() throws -> String {
    guard let path = DefaultsSuite.standard.path, let file = fopen(path, "r") else {
        throw QuickstartFailure(what: "the settings file cannot be read")
    }
    defer { fclose(file) }
    var text: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { text.append(UInt8(byte)) }
    return String(decoding: text, as: UTF8.self)
}

/// The cause of a change in words.
func name(of cause: DefaultsChange.Cause) -> String {
    switch cause {
    case .otherProcess(let id): "process \(id.map(String.init) ?? "unknown")"
    case .thisProcess: "this process"
    case .fileEdited: "somebody's editor"
    case .defaultsChanged(let source): "the defaults of \(source)"
    }
}

/// Why the story ends early.
struct QuickstartFailure: Error {
    let what: String
}
