/// What the clients of several registers asked and were answered.
package struct History: Sendable {
    /// What a client's file says that is neither an answer nor a wait in vain.
    package struct Unreadable: Error, Hashable {
        let path: String
        let line: String
    }

    /// The operations on each register, by its name.
    package private(set) var operations: [String: [RegisterOperation]] = [:]
    /// The operations that were refused, with the code of the error; they had no effect and are not above.
    package private(set) var refused: [(code: String, operation: RegisterOperation)] = []

    /// A history of nothing yet.
    package init() {}

    /// Adds an operation.
    package mutating func add(_ operation: RegisterOperation, on register: String) {
        operations[register, default: []].append(operation)
    }

    /// Adds an operation that was refused, with the code of the error.
    package mutating func add(_ operation: RegisterOperation, refusedWith code: String) {
        refused.append((code, operation))
    }

    /// All operations of all registers.
    package var all: [RegisterOperation] { operations.values.flatMap { $0 } }

    /// What no order of a register's operations explains, for each register where there is such a thing.
    ///
    /// Linearizability is local: the registers together have an order when each of them has one.
    package func violations(initial: [String: Int?] = [:]) -> [String: Violation] {
        var found: [String: Violation] = [:]
        for (register, operations) in operations {
            found[register] = RegisterChecker.violation(in: operations, initial: initial[register] ?? nil)
        }
        return found
    }
}
