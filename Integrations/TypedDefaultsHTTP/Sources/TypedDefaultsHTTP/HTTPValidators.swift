import Foundation
import NIOHTTP1

/// By what the server recognises its last answer, at the address that gave it: another's may bear the same tag.
struct HTTPValidators: Hashable, Sendable {
    private var address: URL?
    private var tag: String?
    private var date: String?

    /// The longest that is sent back.
    private static let limit = 1_024

    /// None, as before the first answer.
    init() {}

    /// Those of an answer; what could not be sent back as it came is left out.
    init(_ headers: HTTPHeaders, from address: URL) {
        self.address = address
        tag = HTTPValidators.usable(headers.first(name: "ETag"))
        date = HTTPValidators.usable(headers.first(name: "Last-Modified"))
    }

    /// Whether this address can be asked by them.
    func know(_ address: URL) -> Bool { address == self.address && (tag != nil || date != nil) }

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
