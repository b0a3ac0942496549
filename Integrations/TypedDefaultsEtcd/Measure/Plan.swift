import LocalEtcd

/// What is to be measured, from the command line.
struct Plan {
    var followers = 50
    var puts = 100
    /// Seconds in which nothing changes.
    var idle = 60
    var keys = 10_000
    var folder = ""
    var endpoint = ""
    /// The prefix that this process is to follow; nil for the process that measures.
    var follower: String?

    init(_ arguments: some Sequence<String>) throws {
        var left = arguments.makeIterator()
        while let option = left.next() {
            guard let value = left.next() else { throw Refusal("\(option) wants a value") }
            switch option {
            case "--followers": followers = try Plan.count(option, value)
            case "--puts": puts = try Plan.count(option, value)
            case "--idle": idle = try Plan.count(option, value)
            case "--keys": keys = try Plan.count(option, value)
            case "--folder": folder = value
            case "--endpoint": endpoint = value
            case "--follow": follower = value
            default: throw Refusal("\(option) is no option")
            }
        }
        guard follower != nil || !folder.isEmpty else { throw Refusal("--folder says where files go") }
    }

    private static func count(_ option: String, _ value: String) throws -> Int {
        guard let number = Int(value), number > 0 else { throw Refusal("\(option) \(value) is no count") }
        return number
    }
}
