import NIOHTTP1

/// By what a server recognises its last answer.
struct HTTPValidators: Hashable, Sendable {
    private var tag: String?
    private var date: String?

    /// The longest that is sent back.
    private static let limit = 1_024

    /// None, as before the first answer.
    init() {}

    /// Those of an answer; what could not be sent back as it came is left out.
    init(_ headers: HTTPHeaders) {
        tag = HTTPValidators.usable(headers.first(name: "ETag"))
        date = HTTPValidators.usable(headers.first(name: "Last-Modified"))
    }

    /// Whether a server can be asked by them.
    var isEmpty: Bool { tag == nil && date == nil }

    /// Adds the question to a request.
    func ask(in headers: inout HTTPHeaders) {
        if let tag { headers.replaceOrAdd(name: "If-None-Match", value: tag) }
        if let date { headers.replaceOrAdd(name: "If-Modified-Since", value: date) }
    }

    private static func usable(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value.utf8.count <= limit,
            HeaderGuard.objection(to: "ETag", value) == nil
        else { return nil }
        return value
    }
}
