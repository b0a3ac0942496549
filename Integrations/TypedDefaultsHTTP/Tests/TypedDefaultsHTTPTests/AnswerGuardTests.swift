/// What stands between a server and the client, without either.
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import TypedDefaultsHTTP

@Suite(.timeLimit(.minutes(5))) struct AnswerGuardTests {
    /// A connection of which the guard is a part, whose loop has not turned since.
    private func connection() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let reader = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
        try channel.pipeline.syncOperations.addHandlers([HTTPRequestEncoder(), reader])
        _ = AnswerGuard.join(channel)
        return channel
    }

    private func ask(_ channel: EmbeddedChannel) throws {
        try channel.writeOutbound(
            HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
        try channel.writeOutbound(HTTPClientRequestPart.end(nil))
    }

    private func answer(_ channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
    }

    @Test func `a connection has it at once, not only after a turn of its loop`() throws {
        let channel = try connection()
        _ = try channel.pipeline.syncOperations.handler(type: AnswerGuard.self)
        try ask(channel)
        #expect(throws: AnswerGuard.NoAnswer.self) {
            try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\n{}"))
        }
        #expect(try channel.readInbound(as: HTTPClientResponsePart.self) == nil)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `questions of one connection are each answered`() throws {
        let channel = try connection()
        for _ in 0..<3 {
            try ask(channel)
            try answer(channel)
            for _ in 0..<3 { #expect(try channel.readInbound(as: HTTPClientResponsePart.self) != nil) }
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
