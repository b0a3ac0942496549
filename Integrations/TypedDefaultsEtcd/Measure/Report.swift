import Foundation
import LocalEtcd

/// The whole measurement, one table after the other.
struct Report {
    let plan: Plan

    func run() throws {
        say(try machine())
        let etcd = try LocalEtcd(in: plan.folder)
        try Crowd(plan: plan, etcd: etcd).run()
        let proxy = try LocalProxy(before: etcd.endpoint, in: plan.folder)
        try Crowd(plan: plan, etcd: etcd, proxy: proxy).run()
        proxy.stop()
        try Weight(plan: plan, etcd: etcd).run()
        etcd.stop()
    }

    private func machine() throws -> String {
        let processor = try first("/proc/cpuinfo", "model name").split(separator: ":").last ?? ""
        let memory = try first("/proc/meminfo", "MemTotal").split(separator: " ").dropFirst().first ?? ""
        let load = try first("/proc/loadavg", "").split(separator: " ").prefix(3).joined(separator: " ")
        #if DEBUG
            let build = "debug build: figures are not for quoting"
        #else
            let build = "release build"
        #endif
        return """
            machine: \(ProcessInfo.processInfo.activeProcessorCount) x\(processor), \
            \((Int(memory) ?? 0) / 1_048_576) GiB, \(try first("/proc/sys/kernel/ostype", "")) \
            \(try first("/proc/sys/kernel/osrelease", "")); load \(load); \(build)
            """
    }

    private func first(_ path: String, _ prefix: String) throws -> String {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return lines.first { $0.hasPrefix(prefix) }.map(String.init) ?? ""
    }
}

/// Prints a row of a table.
func row(_ name: String, _ value: String) {
    say("  " + name.padding(toLength: 58, withPad: " ", startingAt: 0) + value)
}

func text(_ value: Double, _ unit: String) -> String {
    String(format: value.rounded() == value || abs(value) >= 1_000 ? "%.0f " : "%.2f ", value) + unit
}

extension [Double] {
    /// The value that a share of all does not exceed.
    func quantile(_ share: Double) -> Double {
        sorted()[Swift.min(count - 1, Swift.max(0, Int((Double(count) * share).rounded(.up)) - 1))]
    }
}
