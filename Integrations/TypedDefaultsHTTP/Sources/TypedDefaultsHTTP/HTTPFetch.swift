import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TypedDefaults

/// Fetches a small document: within its limits or not at all.
struct HTTPFetch: Sendable {
    /// What every fetch has to keep.
    struct Limits: Sendable {
        /// The most bytes of the body.
        var bytes = 1 << 20
        /// How long everything may take, redirects included.
        var time = Duration.seconds(10)
        /// How many redirects are followed.
        var redirects = 5
    }

    /// What a server has said.
    enum Answer: Hashable, Sendable {
        case body([UInt8], HTTPValidators)
        /// It is what was known.
        case unchanged
        /// Nothing that can be used, but when to ask again.
        case later(DefaultsError, after: Duration)
    }

    /// The address without what may be a secret.
    let shown: String
    private let url: URL?
    private let headers: [String: String]
    private let client: HTTPDefaultValueSource.Client
    var limits = Limits()

    init(url: String, headers: [String: String] = [:], client: HTTPDefaultValueSource.Client = .shared) {
        self.url = URL(string: url)
        shown = self.url.map(RemoteAddress.shown) ?? "a URL"
        (self.headers, self.client) = (headers, client)
    }

    /// Asks the server, if it has validators, only for what is not known.
    ///
    /// - Throws: `.sourceFailed` with the address; `CancellationError` when the task is cancelled.
    func answer(knowing validators: HTTPValidators = HTTPValidators()) async throws -> Answer {
        guard let url else { throw failure("the address is no URL") }
        let first = try RemoteAddress(url)
        if first.isPlain, client.hasProxy {
            throw failure("it would be sent to a proxy; ask it by a client that has none")
        }
        for (name, value) in headers {
            if let reason = HeaderGuard.objection(to: name, value) { throw failure(reason) }
        }
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await answer(from: first, validators) }
            group.addTask { [limits] in
                try await Task.sleep(for: limits.time)
                return nil
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() ?? nil else {
                throw failure("it took longer than \(limits.time)")
            }
            return answer
        }
    }

    private func answer(from first: RemoteAddress, _ validators: HTTPValidators) async throws -> Answer {
        var address = first
        for hop in 0...limits.redirects {
            // Headers are for the address the program named; what it redirects to gets none of them.
            var request = request(address, hop == 0 ? headers : [:])
            let isKnown = validators.know(address.url)
            if isKnown { validators.ask(in: &request.headers) }
            let response: HTTPClientResponse
            do {
                // Its own clock is the second line: the one above is for everything together.
                response = try await client.http.execute(
                    request, timeout: .nanoseconds(Int64(2 * (limits.time / .nanoseconds(1)))))
            } catch {
                throw try unreachable(error, address)
            }
            if let location = redirect(response) {
                address = try address.following(location)
                continue
            }
            if response.status == .notModified, isKnown {
                try await end(of: response, address)
                return .unchanged
            }
            guard response.status == .ok else {
                let failure = failure("it answered with status \(response.status.code), not 200", address)
                guard let pause = response.headers.retryAfter else { throw failure }
                return .later(failure, after: pause)
            }
            let body = try await body(of: response, address)
            return .body(body, HTTPValidators(response.headers, from: address.url))
        }
        throw failure("it redirects more than \(limits.redirects) times", address)
    }

    private func request(_ address: RemoteAddress, _ headers: [String: String]) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.url.absoluteString)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        return request
    }

    /// Reads an answer that has no body to its end, so that its connection serves for the next question.
    private func end(of response: HTTPClientResponse, _ address: RemoteAddress) async throws {
        do { for try await _ in response.body {} } catch { throw try unreachable(error, address) }
    }

    private func redirect(_ response: HTTPClientResponse) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        return response.headers.first(name: "Location")
    }

    private func body(of response: HTTPClientResponse, _ address: RemoteAddress) async throws -> [UInt8] {
        let length = try length(of: response, address)
        let tooLarge = failure("its answer is larger than \(limits.bytes) bytes", address)
        if let length, length > limits.bytes { throw tooLarge }
        var body: [UInt8] = []
        do {
            for try await part in response.body {
                guard body.count + part.readableBytes <= limits.bytes else { throw tooLarge }
                body += part.readableBytesView
            }
        } catch {
            throw try unreachable(error, address)
        }
        guard length == nil || length == body.count else {
            throw failure("its answer has another length than it says", address)
        }
        return body
    }

    /// What the head says of the length; nil where the end is told otherwise.
    ///
    /// - Throws: where an answer that breaks off could not be told from a whole one, or is not what it seems.
    private func length(of response: HTTPClientResponse, _ address: RemoteAddress) throws -> Int? {
        let headers = response.headers
        guard headers[canonicalForm: "Content-Encoding"].allSatisfy({ $0.lowercased() == "identity" }) else {
            throw failure("its answer is compressed, though it was asked not to be", address)
        }
        let transfer = headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        guard transfer.isEmpty || transfer == ["chunked"] else {
            throw failure("its answer has a transfer encoding that is not chunked", address)
        }
        let lengths = headers["Content-Length"]
        guard let length = lengths.first else {
            guard !transfer.isEmpty else {
                throw failure(
                    "its answer has neither a Content-Length nor chunks, so that a part of it could not be told from "
                        + "all", address)
            }
            return nil
        }
        guard transfer.isEmpty else { throw failure("its answer tells its end in two ways", address) }
        guard lengths.count == 1, let bytes = number(length) else {
            throw failure("its Content-Length is no number", address)
        }
        return bytes
    }

    /// What a failure of the client means to the caller.
    ///
    /// - Throws: what the caller has asked for itself.
    private func unreachable(_ error: any Error, _ address: RemoteAddress) throws -> DefaultsError {
        if let known = error as? DefaultsError { return known }
        try Task.checkCancellation()
        return failure("it cannot be had: \(error)", address)
    }

    func failure(_ reason: String, _ address: RemoteAddress? = nil) -> DefaultsError {
        DefaultsError.sourceFailed(reason, path: address.map { RemoteAddress.shown($0.url) } ?? shown)
    }
}

extension HTTPHeaders {
    /// How long a server wants to be left alone, in seconds; nil if it does not say so.
    ///
    /// A date is not taken, since it says something only where two machines' clocks agree.
    var retryAfter: Duration? { first(name: "Retry-After").flatMap(number).map { .seconds($0) } }
}

/// Returns the number that is written in digits alone; one that is too large for any machine is the largest.
private func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
}
