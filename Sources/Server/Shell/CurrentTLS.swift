import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// TLS around connections, each with the certificate that is in force when it begins.
struct CurrentTLS<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let context: @Sendable () -> NIOSSLContext

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context()))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
