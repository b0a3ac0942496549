/// A command of a workload: what it does to the stored values, and what its answer promises.
import DefaultsStore

struct SuiteCommand: Equatable {
    /// Which of a stage's processes gets it.
    let process: Int
    let line: String

    /// What a process that answered has promised about power loss.
    enum Promise: Equatable {
        /// Nothing.
        case none
        /// Everything acknowledged up to here, by all processes, survives.
        case everything
        /// What this command itself wrote survives.
        case itself
    }

    private var words: [Substring] { line.split(separator: " ") }
    private var verb: Substring { words.first ?? "" }

    var promise: Promise {
        switch verb {
        case "synchronize", "checkpoint", "keephistory": .everything
        case "edit": words.last == "synced" ? .itself : .none
        case "healthy", "beginstart": .itself
        default: .none
        }
    }

    /// The command of `start <command>`, whose answer is waited for at `finish`: strace stops the process in it.
    ///
    /// It has to be one that writes no value of its own.
    var begun: SuiteCommand? {
        verb == "start" ? SuiteCommand(process: process, line: words.dropFirst().joined(separator: " ")) : nil
    }

    /// Whether this lets the process go on and waits for the answer.
    var isFinish: Bool { verb == "finish" }

    /// What of the stored values is in a file of its own, under a name for the key.
    enum OwnFile {
        /// The values of the last healthy start.
        static let good = "good.json"
        /// The starts that have failed since.
        static let failed = "start.json"
    }

    /// The key that is written with this by a foreign program, or into a file of its own; nil where it is a setting of
    /// the store's.
    var foreignKey: String? {
        switch verb {
        case "edit": String(words[2])
        case "healthy": OwnFile.good
        case "beginstart": OwnFile.failed
        default: nil
        }
    }

    /// Whether this may leave the file itself damaged: a foreign program that does not wait for the disk.
    var isCareless: Bool { verb == "edit" && words.last != "synced" }

    /// Each key this writes, with its value; nil for one that goes.
    func changes() throws -> [String: DefaultsValue?] {
        switch verb {
        case "set", "undoto": return [String(words[1]): try value(words[2...].joined(separator: " "))]
        case "edit": return [String(words[2]): try value(String(words[3]))]
        case "healthy": return [OwnFile.good: try value(words[1...].joined(separator: " "))]
        // The last word is the count that it comes to, if it writes one.
        case "beginstart" where words.count > 3: return [OwnFile.failed: try value(String(words[3]))]
        case "remove": return [String(words[1]): DefaultsValue?.none]
        case "transact":
            let pairs = stride(from: 1, to: words.count - 1, by: 2).map { place in
                (String(words[place]), Int(words[place + 1]).map { DefaultsValue.number(DefaultsNumber($0)) })
            }
            return Dictionary(pairs) { _, last in last }
        default: return [:]
        }
    }

    /// The stored values behind it.
    func apply(to settings: StoredSettings) throws -> StoredSettings {
        if verb == "removeall" { return [:] }
        return try changes().reduce(into: settings) { $0[$1.key] = $1.value }
    }

    private func value(_ text: String) throws -> DefaultsValue {
        try StoredValue(validating: Array(text.utf8)).value
    }
}

/// All stored values of a suite.
typealias StoredSettings = [String: DefaultsValue]
