// A transaction that leaves its closure.
import TypedDefaults

func keep(suite: DefaultsSuite) throws -> DefaultsTransaction {
    try suite.withTransaction { tx in  // refused: requires that 'DefaultsTransaction' conform to 'Copyable'
        tx
    }
}
