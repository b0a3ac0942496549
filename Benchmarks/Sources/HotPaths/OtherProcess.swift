import Foundation
import Measuring
import TypedDefaults

/// Another process that sets values whenever it is told to: this program, started once more.
public enum OtherProcess {
    /// The argument that makes a program one; the page's path follows, and how many keys it sets besides each time.
    public static let role = "set-when-told"

    /// Sets `volume` as often as the page's first number says, and says at the second how often it has.
    ///
    /// - Parameter others: how many keys are set before it each time, the same ones.
    public static func setWhenTold(page path: String, others: Int) throws {
        let page = try SharedNumbers(path: path, count: 2)
        _ = SampleValues.stored
        let suite = DefaultsSuite.standard
        page[1] = 1
        for number in 1... {
            try page.wait(0, reaches: number)
            if page[0] == Int.max { return }
            for other in 0..<others {
                try suite.set(.string("\(number)"), forKey: "other\(other)")
            }
            OurSets.double(Double(number) + 0.5)
            page[1] = number + 1
        }
    }

    /// Reads what another process has just set, so many times; only the reads are in the section.
    static func read(_ count: Int, others: Int, in section: (() -> Void) -> Void) throws {
        let path = NSHomeDirectory() + "/page-\(getpid())"
        let page = try SharedNumbers(path: path, count: 2)
        defer { unlink(path) }
        let other = try Child(
            CommandLine.arguments[0], [role, path, "\(others)"],
            environment: ProcessInfo.processInfo.environment)
        try page.wait(1, reaches: 1)
        for number in 1...count {
            page[0] = number
            try page.wait(1, reaches: number + 1)
            var value = 0.0
            section { value = OurReads.double() }
            precondition(value == Double(number) + 0.5, "a set that had returned elsewhere was not read")
        }
        page[0] = Int.max
        try other.finish()
    }
}
