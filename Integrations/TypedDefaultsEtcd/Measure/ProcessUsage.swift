import Foundation
import LocalEtcd

/// What a process uses, as Linux counts it.
struct ProcessUsage {
    /// Resident memory in KiB.
    let resident: Double
    /// What of it no other process shares, in KiB.
    let own: Double
    /// Processor time so far in milliseconds.
    let processor: Double

    init(of process: Int32) throws {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        resident = try ProcessUsage.sum("VmRSS:", in: status)
        let maps = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        own = try ProcessUsage.sum("Private_Clean:", in: maps) + ProcessUsage.sum("Private_Dirty:", in: maps)
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // Behind the name in brackets, the 12th and the 13th are times in hundredths of a second.
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw Refusal("/proc/\(process)/stat is of another form")
        }
        processor = (user + system) * 10
    }

    private static func sum(_ name: String, in text: String) throws -> Double {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let number = Double(line.split(separator: " ").dropFirst().first ?? "")
        else { throw Refusal("/proc does not say \(name)") }
        return number
    }
}
