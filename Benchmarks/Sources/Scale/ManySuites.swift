import Foundation
import Measuring
import TypedDefaults

/// A process with many suites.
extension Stage {
    /// What opening one more suite takes where many are open.
    func manySuites() throws -> [Row] {
        let place = try makeFolder("suites")
        _ = try play(.makeSuites, in: place, ["\(extent.suites)"])
        let times = try play(.openSuites, in: place, ["\(extent.suites)"])
        return [
            Row(
                what: "open a suite where \(extent.suites - 1) are open", figure: .time(times[1]),
                beside: "one is open",
                control: .time(times[0]))
        ]
    }
}

extension Part {
    /// Makes suites of one key.
    func makeSuites() throws {
        for place in 0..<number(0) { try DefaultsSuite("suite\(place)", in: folder).set(place, forKey: "n") }
        print(number(0))
    }

    /// Opens them all and keeps them open; prints the medians of the second to tenth and of the last ones.
    func openSuites() throws {
        try allowDescriptors(number(0) * 8)
        var open: [DefaultsSuite] = []
        var times: [Double] = []
        for place in 0..<number(0) {
            times.append(
                try Clock.time {
                    let suite = try DefaultsSuite("suite\(place)", in: folder)
                    let value = suite.integer(forKey: "n")
                    guard value == place else {
                        throw SystemFailure(waitingFor: "the value of suite\(place)")
                    }
                    open.append(suite)
                })
        }
        print(Sample(Array(times[1..<10])).median, Sample(times.suffix(10)).median)
        withExtendedLifetime(open) {}
    }

    private func allowDescriptors(_ count: Int) throws {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw SystemFailure("getrlimit")
        }
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, rlim_t(count)))
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw SystemFailure("setrlimit")
        }
    }
}
