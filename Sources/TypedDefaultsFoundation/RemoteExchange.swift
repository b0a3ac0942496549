import DefaultsStore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer, whose bytes are counted as they arrive.
///
/// No redirect is followed here: outside Apple's systems the session would send every header to its target.
final class RemoteExchange: NSObject, URLSessionDataDelegate, Sendable {
    enum Answer: Sendable {
        case body(Data)
        case redirect(to: String)
        case status(Int)
        case tooLarge
        case unreachable(String)
    }

    private struct State {
        var body = Data()
        var outcome: Answer?
        var waiting: CheckedContinuation<Answer, Never>?
        var isOver = false
        var waitingForEnd: CheckedContinuation<Void, Never>?
    }

    private let request: URLRequest
    private let limit: Int
    private let state = Locked(State())  // A leaf: nobody is called under it.

    init(_ request: URLRequest, limit: Int) {
        self.request = request
        self.limit = limit
    }

    /// Makes the exchange, once; cancelling the task ends it.
    func answer() async throws -> Answer {
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        let task = session.dataTask(with: request)
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, for: task) }
        } onCancel: {
            end(.unreachable("it was cancelled"))
        }
        task.cancel()
        // The session retains its delegate, this object, until it is ended. Outside Apple's systems
        // `invalidateAndCancel` would read the list of its tasks while its own queue removes this one, and
        // trap.
        session.finishTasksAndInvalidate()
        // This may trap too if the server closes the connection meanwhile, which it may do after the
        // exchange.
        await withCheckedContinuation(waitForEnd)
        try Task.checkCancellation()
        return answer
    }

    /// Keeps nothing after the exchange, and sends nothing except the request.
    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }

    private func wait(_ continuation: CheckedContinuation<Answer, Never>, for task: URLSessionDataTask) {
        let outcome = state.withLock { state -> Answer? in
            if state.outcome == nil { state.waiting = continuation }
            return state.outcome
        }
        // The task was cancelled before.
        if let outcome { return continuation.resume(returning: outcome) }
        task.resume()
    }

    private func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.waitingForEnd = continuation }
            return state.isOver
        }
        if isOver { continuation.resume() }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waitingForEnd.take()
        }
        waiting?.resume()
    }

    /// Resumes the waiter with the first outcome.
    private func end(_ outcome: Answer) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiting.take()
        }
        waiting?.resume(returning: outcome)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The handler is not called: outside Apple's systems the session traps on a call a moment after the
        // task was cancelled, and this task is cancelled in any case.
        end(RemoteExchange.redirect(response) ?? .status(response.statusCode))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // The answer itself is still to come.
        if RemoteExchange.isInterim(response) { return completionHandler(.allow) }
        if let outcome = refusal(of: response) {
            end(outcome)
            completionHandler(.cancel)
        } else {
            completionHandler(.allow)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard state.body.count + data.count <= limit else { return true }
            state.body.append(data)
            return false
        }
        if isTooLarge { end(.tooLarge) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(.unreachable("it cannot be had: \(error.localizedDescription)")) }
        if let outcome = task.response.flatMap(refusal) { return end(outcome) }
        let body = state.withLock { $0.body }
        let length = (task.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Length")
        guard length == nil || length.flatMap({ Int($0) }) == body.count else {
            return end(.unreachable("its answer has another length than it says"))
        }
        end(.body(body))
    }

    /// Whether it is an interim response, such as 100 and 103.
    private static func isInterim(_ response: URLResponse) -> Bool {
        (response as? HTTPURLResponse).map { (100..<200).contains($0.statusCode) } ?? false
    }

    /// Why an answer's head refuses its body.
    private func refusal(of response: URLResponse) -> Answer? {
        guard let response = response as? HTTPURLResponse else {
            return .unreachable("it does not speak HTTP")
        }
        if let redirect = RemoteExchange.redirect(response) { return redirect }
        guard response.statusCode == 200 else { return .status(response.statusCode) }
        if let reason = objection(to: response) { return .unreachable(reason) }
        return response.expectedContentLength > Int64(limit) ? .tooLarge : nil
    }

    /// The header that Apple's systems show for chunks that they have joined; nil for systems that show the
    /// server's own.
    private static var chunksUndone: String? {
        #if canImport(ObjectiveC)
            "identity"
        #else
            nil
        #endif
    }

    /// Why a truncated answer could pass for a whole one, or the answer is read differently than declared.
    private func objection(to response: HTTPURLResponse) -> String? {
        // Not requested. A compressed answer may be truncated anywhere, and Foundation returns its beginning.
        let encoding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? ""
        guard encoding.isEmpty || encoding == "identity" else {
            return "its answer is compressed, though it was asked not to be"
        }
        let transfer = response.value(forHTTPHeaderField: "Transfer-Encoding")?.lowercased()
        guard transfer == nil || transfer == "chunked" || transfer == Self.chunksUndone else {
            return "its answer has a transfer encoding that is not chunked"
        }
        // Foundation joins two headers into one text, and for an unreadable number reads as many bytes as it
        // can.
        if let length = response.value(forHTTPHeaderField: "Content-Length") {
            let isNumber = !length.isEmpty && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return isNumber ? nil : "its Content-Length is no number"
        }
        // Over https a broken connection is an error.
        return transfer == nil && request.url?.scheme?.lowercased() == "http"
            ? "its answer has neither a Content-Length nor chunks, so that a part of it could not be told from all"
            : nil
    }

    private static func redirect(_ response: HTTPURLResponse) -> Answer? {
        guard [301, 302, 303, 307, 308].contains(response.statusCode),
            let location = response.value(forHTTPHeaderField: "Location")
        else { return nil }
        return .redirect(to: location)
    }
}
