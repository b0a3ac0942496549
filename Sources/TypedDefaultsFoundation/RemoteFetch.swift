import DefaultsStore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches a small document, or fails if it exceeds a limit.
struct RemoteFetch: Sendable {
    /// The limits of a fetch.
    struct Limits: Sendable {
        /// The most bytes of the body.
        var bytes = 1 << 20
        /// The time for everything, redirects included.
        var time = Duration.seconds(10)
        /// The most redirects.
        var redirects = 5
    }

    let url: URL
    let headers: [String: String]
    var limits = Limits()
    var environment = ProcessInfo.processInfo.environment

    /// The body of an answer of status 200.
    ///
    /// - Throws: `.sourceFailed` with the address; `CancellationError` when the task is cancelled.
    func body() async throws -> Data {
        let first = try RemoteAddress(url)
        for (name, value) in headers {
            if let reason = HeaderGuard.objection(to: name, value) { throw failure(reason, first) }
        }
        return try await withThrowingTaskGroup(of: Data?.self) { group in
            group.addTask { try await body(from: first) }
            group.addTask { [limits] in
                try await Task.sleep(for: limits.time)
                return nil
            }
            defer { group.cancelAll() }
            guard let body = try await group.next() ?? nil else {
                throw failure("it took longer than \(limits.time)", first)
            }
            return body
        }
    }

    private func body(from first: RemoteAddress) async throws -> Data {
        var address = first
        if first.isPlain, let reason = ProxyGuard.objection(toHost: first.host, environment) {
            throw failure(reason, first)
        }
        for hop in 0...limits.redirects {
            // Headers go to the program's address; the target of a redirect gets none of them.
            let request = request(address, headers: hop == 0 ? headers : [:])
            let answer = try await RemoteExchange(request, limit: limits.bytes).answer()
            switch answer {
            case .body(let body): return body
            case .redirect(let location): address = try address.following(location)
            case .status(let code): throw failure("it answered with status \(code), not 200", address)
            case .tooLarge: throw failure("its answer is larger than \(limits.bytes) bytes", address)
            case .unreachable(let reason): throw failure(reason, address)
            }
        }
        throw failure("it redirects more than \(limits.redirects) times", address)
    }

    private func request(_ address: RemoteAddress, headers: [String: String]) -> URLRequest {
        var request = URLRequest(url: address.url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpShouldHandleCookies = false
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        // The session's own time limit is the second line; the one above covers everything together.
        request.timeoutInterval = 2 * (limits.time / .seconds(1))
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func failure(_ reason: String, _ address: RemoteAddress) -> DefaultsError {
        DefaultsError(
            .sourceFailed, path: RemoteAddress.shown(address.url), underlyingDescription: reason)
    }
}
