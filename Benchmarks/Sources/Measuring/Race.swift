/// What some processes do at the same time, timed from their common beginning to the end of the last one.
///
/// Each notes itself when it has done its part, so that nobody has to look meanwhile, on a processor that they need.
public struct Race {
    private let page: SharedNumbers

    // Where in the page stand: how many are ready, the word to begin, and when the last one has ended.
    private static let (ready, begin, end) = (0, 1, 2)

    /// A race that a file is for; the driver and all that take part name the same.
    public init(page path: String) throws(SystemFailure) {
        page = try SharedNumbers(path: path, count: 512)
    }

    /// Takes part: waits for the beginning, and notes when the body is done.
    public func run(_ body: () throws -> Void) throws {
        page.countUp(Race.ready)
        try page.wait(Race.begin, reaches: 1)
        try body()
        page.raise(Race.end, to: Clock.now())
    }

    /// Begins once so many are ready, and waits for their processes' ends, which are not in the time.
    ///
    /// - Returns: nanoseconds.
    public func time(_ children: [Child]) throws(SystemFailure) -> Double {
        try page.wait(Race.ready, reaches: children.count)
        let time = Clock.now()
        page[Race.begin] = 1
        for child in children { try child.finish() }
        return Double(page[Race.end] - time)
    }
}
