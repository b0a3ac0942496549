import Glibc

/// What the kernel counts of a process, read from its files in `/proc`.
public struct ProcessCounts: Sendable {
    private let process: Int32

    /// The counts of a process that runs.
    public init(of process: Int32) { self.process = process }

    /// The counts of this process.
    public static var own: ProcessCounts { ProcessCounts(of: getpid()) }

    /// The nanoseconds of a processor that all its threads have had, those that have ended included.
    public func processorTime() throws(SystemFailure) -> Int {
        var clock = clockid_t()
        let refusal = clock_getcpuclockid(process, &clock)
        guard refusal == 0 else { throw SystemFailure("clock_getcpuclockid", "\(process)", number: refusal) }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw SystemFailure("clock_gettime", "\(process)") }
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// How many threads it has.
    public func threads() throws(SystemFailure) -> Int { try number("Threads", in: "status") }

    /// How often its present threads have gone on after a sleep.
    public func wakeUps() throws(SystemFailure) -> Int {
        let folder = "/proc/\(process)/task"
        guard let tasks = opendir(folder) else { throw SystemFailure("opendir", folder) }
        defer { closedir(tasks) }
        var sum = 0
        while let entry = readdir(tasks) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.first != "." else { continue }
            sum += try number("voluntary_ctxt_switches", in: "task/\(name)/status")
        }
        return sum
    }

    /// The bytes that it had the file system write to the disk, or will have, by pages.
    public func bytesWritten() throws(SystemFailure) -> Int { try number("write_bytes", in: "io") }

    /// The bytes of memory that are resident.
    public func resident() throws(SystemFailure) -> Int { try number("VmRSS", in: "status") * 1024 }

    /// The most bytes of memory that were resident at a time, since the start or since it was forgotten.
    public func peak() throws(SystemFailure) -> Int { try number("VmHWM", in: "status") * 1024 }

    /// Lets the peak begin anew at what is resident now.
    public func forgetPeak() throws(SystemFailure) {
        let path = "/proc/\(process)/clear_refs"
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemFailure("open", path) }
        defer { close(file) }
        guard write(file, "5", 1) == 1 else { throw SystemFailure("write", path) }
    }

    /// The number behind a name and a colon in one of the files.
    private func number(_ name: String, in file: String) throws(SystemFailure) -> Int {
        let path = "/proc/\(process)/\(file)"
        guard let stream = fopen(path, "re") else { throw SystemFailure("fopen", path) }
        defer { fclose(stream) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), stream) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix(name + ":") else { continue }
            if let number = Int(text.filter(\.isNumber)) { return number }
        }
        throw SystemFailure(waitingFor: "\(name) in \(path)")
    }
}
