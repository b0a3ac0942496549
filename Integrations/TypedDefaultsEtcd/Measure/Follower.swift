import LocalEtcd
import TypedDefaults
import TypedDefaultsEtcd

/// A program that follows a prefix and tells each value of one key with the moment its observer was called.
struct Follower {
    let endpoint: String
    let prefix: String

    /// The key that is measured.
    static let key = "counter"

    func run() throws {
        let suite = try DefaultsSuite("measured")
        suite.onFailure = { say("0 \($0)") }
        let observation = suite.observe(forKey: Follower.key, options: [.new]) { change in
            let moment = Moment.now
            say("\(moment.nanoseconds) \(change.newValue?.int ?? -1)")
        }
        let following = suite.follow(EtcdDefaultValueSource(endpoints: [endpoint], prefix: prefix))
        // It ends when the process that measures does.
        while readLine() != nil {}
        following.invalidate()
        observation.invalidate()
    }
}
