import Encodings
import Pico

@testable import Wallet

/// A rendezvous channel in memory, with the slot of the real one, for both ends of a run.
actor MemoryRendezvous {
    private var channel = RendezvousChannel()
    private var last: UInt64 = 0
    private var waiting: [UInt64: CheckedContinuation<RendezvousAnswer, Never>] = [:]
    private var written = 0
    private var change: (@Sendable (Int, Bytes) -> Bytes)?
    /// The messages that were written, as their writers wrote them.
    private(set) var messages: [Bytes] = []
    /// How often it was closed.
    private(set) var closings = 0

    /// Changes messages on their way, by their number from 0.
    func tamper(_ change: @escaping @Sendable (Int, Bytes) -> Bytes) { self.change = change }

    func ask(_ request: RendezvousChannel.Request) async -> RendezvousAnswer {
        var request = request
        if case .write(let frame) = request, let message = try? PicoFrame.decode(frame) {
            messages.append(message)
            if let change { request = .write(PicoFrame.encode(change(written, message))) }
            written += 1
        }
        if case .close = request { closings += 1 }
        last += 1
        let number = last
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[number] = continuation
                for delivery in channel.handle(request, number: number) {
                    waiting.removeValue(forKey: delivery.request)?.resume(returning: delivery.answer)
                }
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    /// Returns once somebody waits at the channel, or when the test is cancelled: else its time limit would end nothing.
    func waitForSomebody() async {
        while channel.isIdle, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
    }

    private func leave(_ number: UInt64) {
        channel.leave(number)
        waiting.removeValue(forKey: number)?.resume(returning: .timedOut)
    }
}

/// One end of it.
struct MemoryChannel: PicoChannel {
    let rendezvous: MemoryRendezvous
    let clock: PicoClock

    func send(_ message: Bytes, before deadline: Int64) async throws(PicoRunError) {
        _ = try await ask(.write(PicoFrame.encode(message)), deadline)
    }

    func receive(before deadline: Int64) async throws(PicoRunError) -> Bytes {
        guard case .data(let frame) = try await ask(.read, deadline) else { throw .noRendezvous("memory") }
        return try picoStep { () throws(PicoError) in try PicoFrame.decode(frame) }
    }

    func close() async { _ = await rendezvous.ask(.close) }

    private func ask(
        _ request: RendezvousChannel.Request, _ deadline: Int64
    ) async throws(PicoRunError) -> RendezvousAnswer {
        try await clock.run(before: deadline) { [rendezvous] () throws(PicoRunError) in
            switch await rendezvous.ask(request) {
            case .busy: throw .channelTaken
            case .closed: throw .channelClosed
            case .timedOut: throw .cancelled
            case let answer: return answer
            }
        }
    }
}
