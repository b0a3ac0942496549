/// The requests that are committed together, in their order: usually one.
struct WriteGroup: RandomAccessCollection {
    private let others: [WriteRequest]
    private let final: WriteRequest

    /// Creates a group of one request, after those that have been waiting.
    init(_ request: WriteRequest, behind others: [WriteRequest] = []) {
        self.others = others
        final = request
    }

    /// Creates a group of some requests; nil for none.
    init?(_ requests: some BidirectionalCollection<WriteRequest>) {
        guard let last = requests.last else { return nil }
        self.init(last, behind: Array(requests.dropLast()))
    }

    /// Whether what is written depends on what is stored.
    var isOfStored: Bool { final.isOfStored || !others.isEmpty && others.contains(where: \.isOfStored) }

    var startIndex: Int { 0 }
    var endIndex: Int { others.count + 1 }
    subscript(place: Int) -> WriteRequest { place == others.count ? final : others[place] }

    /// The request whose values are the final ones.
    var last: WriteRequest { final }
}
