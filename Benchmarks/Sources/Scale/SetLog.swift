import Measuring

/// When each set of some writers began and returned, and when the last listener heard it: a page that they all map.
struct SetLog: Sendable {
    private let page: SharedNumbers
    private let sets: Int
    private let writers: Int

    // Where in the page stand: how many are ready, the word to begin, the first set; and of each set, what is noted.
    private static let (ready, begin, first) = (0, 1, 8)
    private static let (began, returned, heard, hearers, fields) = (0, 1, 2, 3, 4)

    /// The log in a file, which all that take part name alike.
    init(path: String, sets: Int, writers: Int) throws(SystemFailure) {
        page = try SharedNumbers(path: path, count: SetLog.first + writers * sets * SetLog.fields)
        (self.sets, self.writers) = (sets, writers)
    }

    /// Says that one more is ready.
    func isReady() { page.countUp(SetLog.ready) }

    /// Waits until so many are ready.
    func awaitReady(_ count: Int) throws(SystemFailure) { try page.wait(SetLog.ready, reaches: count) }

    /// Lets the writers begin.
    func begin() { page[SetLog.begin] = 1 }

    /// Waits for the word to begin.
    func awaitBegin() throws(SystemFailure) { try page.wait(SetLog.begin, reaches: 1) }

    /// Notes one set.
    func note(_ set: Int, of writer: Int, began: Int, returned: Int) {
        page[place(set, writer) + SetLog.began] = began
        page[place(set, writer) + SetLog.returned] = returned
    }

    /// Notes that a listener has been told of these sets of the first writer, of several perhaps at once.
    func heard(_ sets: Range<Int>, at time: Int) {
        for set in sets {
            page.raise(place(set, 0) + SetLog.heard, to: time)
            page.countUp(place(set, 0) + SetLog.hearers)
        }
    }

    /// Waits until so many have heard the first writer's last set.
    func awaitHearers(_ count: Int) throws(SystemFailure) {
        try page.wait(place(sets - 1, 0) + SetLog.hearers, reaches: count)
    }

    /// How long the sets took.
    func durations() -> Sample {
        Sample(
            (0..<writers).flatMap { writer in
                counted.map { set in
                    Double(
                        page[place(set, writer) + SetLog.returned] - page[place(set, writer) + SetLog.began])
                }
            })
    }

    /// How long after a set of the first writer began the last listener heard it.
    func delays() -> Sample {
        Sample(counted.map { Double(page[place($0, 0) + SetLog.heard] - page[place($0, 0) + SetLog.began]) })
    }

    /// The first tenth is not counted: processes are still making their first steps.
    private var counted: Range<Int> { sets / 10..<sets }

    private func place(_ set: Int, _ writer: Int) -> Int {
        SetLog.first + (writer * sets + set) * SetLog.fields
    }
}
