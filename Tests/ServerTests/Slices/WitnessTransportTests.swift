import Foundation
import Testing

@testable import Server

/// A witness is another party's server, and may answer anything.
@Suite("Witnesses that misbehave over HTTP", .timeLimit(.minutes(5)))
struct WitnessTransportTests {
    @Test("an answer that never ends is given up in time")
    func dripping() async throws {
        let server = try DrippingServer({ _ in "HTTP/1.1 200 OK\r\ncontent-length: 16000\r\n\r\n" }, drips: true)
        defer { server.stop() }
        await #expect(throws: (any Error).self) {
            _ = try await HTTPWitnessTransport(patience: .milliseconds(300))
                .addCheckpoint([1], at: "http://127.0.0.1:\(server.port)")
        }
    }

    @Test("a redirect is not followed", arguments: [301, 302, 307, 308])
    func redirect(status: Int) async throws {
        let server = try DrippingServer(
            {
                "HTTP/1.1 \(status) Elsewhere\r\nlocation: http://127.0.0.1:\($0)/elsewhere\r\ncontent-length: 0\r\n\r\n"
            },
            drips: false)
        defer { server.stop() }
        let answer = try await HTTPWitnessTransport(patience: .seconds(60))
            .addCheckpoint([1], at: "http://127.0.0.1:\(server.port)")
        #expect(answer.status == status)
        #expect(server.asked == 1)
    }
}
