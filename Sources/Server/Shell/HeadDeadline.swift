import NIOCore

/// By when the head of a request has to be whole, or a further request has to begin.
///
/// A timer for each request would cost more than most requests do: one timer for a connection looks now and then.
struct HeadDeadline {
    private let headTime, keepAliveTime: TimeAmount
    private var deadline: NIODeadline?
    /// Whether it is a further request that is waited for.
    private var isResting = false
    /// Whether some of a head has come.
    private(set) var isHeadBegun = false
    /// The timer that looks next.
    var timer: Scheduled<Void>?

    init(_ bounds: Connections.Bounds) {
        headTime = .nanoseconds(Int64(bounds.headTime.inSeconds * 1e9))
        keepAliveTime = .nanoseconds(Int64(bounds.keepAliveTime.inSeconds * 1e9))
    }

    mutating func connectionBegan(_ now: NIODeadline) { deadline = now + headTime }

    /// The first bytes of a head are here: on a fresh connection they do not give it longer than it had.
    mutating func headBegan(_ now: NIODeadline) {
        guard !isHeadBegun else { return }
        isHeadBegun = true
        if deadline == nil || isResting { deadline = now + headTime }
        isResting = false
    }

    mutating func headEnded() {
        isHeadBegun = false
        isResting = false
        deadline = nil
    }

    mutating func answered(_ now: NIODeadline) {
        guard !isHeadBegun else { return }
        isResting = true
        deadline = now + keepAliveTime
    }

    func isOver(_ now: NIODeadline) -> Bool { deadline.map { $0 <= now } ?? false }

    /// How long to wait before looking, or `nil` when there is nothing to look for or a timer does already.
    ///
    /// Never longer than a head may take: a later deadline that comes nearer needs no other timer.
    func wait(from now: NIODeadline) -> TimeAmount? {
        guard timer == nil, let deadline else { return nil }
        return min(max(deadline - now, .nanoseconds(1)), headTime)
    }

    mutating func stop() {
        timer?.cancel()
        timer = nil
        deadline = nil
    }
}

/// Tells of each arrival of bytes, before anything reads them.
final class ByteWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let heard: () -> Void

    init(_ heard: @escaping () -> Void) { self.heard = heard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard()
        context.fireChannelRead(data)
    }
}
