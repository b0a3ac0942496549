import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension LocalEtcd {
    /// Puts values in one transaction; etcd takes 128 at once.
    ///
    /// - Returns: the moment just before it was asked for.
    @discardableResult
    package func put(_ values: [(key: String, value: String)]) throws -> Moment {
        let puts = values.map { pair in
            ["requestPut": ["key": base64(pair.key), "value": base64(pair.value)]]
        }
        let body = try JSONSerialization.data(withJSONObject: ["success": puts])
        let before = Moment.now
        _ = try ask("/v3/kv/txn", body)
        return before
    }

    /// What it counts, by name and labels.
    package func metrics() throws -> [String: Double] {
        let lines = String(decoding: try ask("/metrics", nil), as: UTF8.self).split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, Double)? in
            guard !line.hasPrefix("#"), let space = line.lastIndex(of: " ") else { return nil }
            return Double(line[line.index(after: space)...]).map { (String(line[..<space]), $0) }
        }
        return Dictionary(pairs) { $1 }
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Asks the gateway that etcd has for programs without gRPC.
    private func ask(_ path: String, _ body: Data?) throws -> Data {
        guard let url = URL(string: endpoint + path) else { throw Refusal("\(endpoint) is no address") }
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body
        let answer = Answer()
        URLSession.shared.dataTask(with: request) { data, response, error in
            answer.take(data, (response as? HTTPURLResponse)?.statusCode, error)
        }.resume()
        return try answer.wait(path)
    }
}

/// What the server says, which comes on another thread.
private final class Answer: Sendable {
    private let result = Mutex<Result<Data, Refusal>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func take(_ data: Data?, _ status: Int?, _ error: (any Error)?) {
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        let refusal = Refusal("status \(status ?? 0) \(text)\(error.map { ", \($0)" } ?? "")")
        result.withLock { $0 = status == 200 ? .success(data ?? Data()) : .failure(refusal) }
        isThere.signal()
    }

    func wait(_ path: String) throws -> Data {
        isThere.wait()
        guard let result = result.withLock({ $0 }) else { throw Refusal("no answer from \(path)") }
        return try result.get()
    }
}
