/// The requests that are committed together, in their order: mostly one.
struct WriteGroup: RandomAccessCollection {
    private let others: [WriteRequest]
    private let final: WriteRequest

    /// One request, behind those that have waited.
    init(_ request: WriteRequest, behind others: [WriteRequest] = []) {
        self.others = others
        final = request
    }

    /// Some requests; nil for none.
    init?(_ requests: some BidirectionalCollection<WriteRequest>) {
        guard let last = requests.last else { return nil }
        self.init(last, behind: Array(requests.dropLast()))
    }

    var startIndex: Int { 0 }
    var endIndex: Int { others.count + 1 }
    subscript(place: Int) -> WriteRequest { place == others.count ? final : others[place] }

    /// The one whose values all come to have.
    var last: WriteRequest { final }
}
