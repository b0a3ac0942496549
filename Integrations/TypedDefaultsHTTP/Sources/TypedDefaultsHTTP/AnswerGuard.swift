import NIOCore
import NIOHTTP1

/// Passes on an answer in the order that HTTP has, and ends the connection at anything else.
///
/// AsyncHTTPClient 1.37 takes each status below 200 but 101 for one that an answer follows, 0 too, and ends the program
/// at a body that comes instead.
final class AnswerGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// A server has said what no answer is.
    struct NoAnswer: Error, CustomStringConvertible {
        let description = "what it sends is no answer"
    }

    private enum Phase {
        case idle, asked, receiving, over
    }

    private var phase = Phase.idle

    /// Puts one into a connection, between what reads HTTP and the client.
    ///
    /// On the connection's own loop it is there on return: something may be read before the loop's next turn.
    static func join(_ channel: any Channel) -> EventLoopFuture<Void> {
        let loop = channel.eventLoop
        guard loop.inEventLoop else { return loop.submit { try AnswerGuard().enter(channel) } }
        return loop.makeCompletedFuture { try AnswerGuard().enter(channel) }
    }

    private func enter(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let reader = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(self, position: .after(reader))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data), phase == .idle { phase = .asked }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (phase, unwrapInboundIn(data)) {
        case (.asked, .head(let head)) where (200...999).contains(head.status.code):
            phase = .receiving
            context.fireChannelRead(data)
        case (.asked, .head(let head))
        where (100...199).contains(head.status.code) && head.status != .switchingProtocols:
            // The answer itself is still to come.
            return
        case (.receiving, .body):
            context.fireChannelRead(data)
        case (.receiving, .end):
            phase = .idle
            context.fireChannelRead(data)
        case (.over, _):
            return
        default:
            phase = .over
            context.fireErrorCaught(NoAnswer())
            context.close(promise: nil)
        }
    }
}
