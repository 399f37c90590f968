import Encodings
import Interface
import NIOCore
import Testing

@testable import Server

/// An attack with downloads that nobody takes: each keeps a place.
@Suite("Downloads that nobody takes", .timeLimit(.minutes(5)))
struct VaultDownloadTests {
    /// Asks for something, reads the beginning of the answer, and takes nothing more until it is cancelled.
    private static func hold(_ port: Int, _ request: String, _ begun: AsyncStream<Bool>.Continuation) async throws {
        try await connect(port).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var parts = inbound.makeAsyncIterator()
            let first = try await parts.next()
            begun.yield(first.map { String(buffer: $0).hasPrefix("HTTP/1.1 200 ") } ?? false)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in ends {}
            end.finish()
            // Without it the connection would be closed.
            withExtendedLifetime(parts) {}
        }
    }

    @Test("one that takes nothing for two minutes is ended, and its place is free again")
    func stalled() async throws {
        try await VaultScene.serve { scene in
            // The first is more than a connection holds on its way: the system may have 37 MB of it.
            var contents: [String] = []
            for size in [5 * Int(Limits.vaultPart), 3] {
                let version = try await scene.upload(Bytes(repeating: 7, count: size))
                let put = VaultScene.put(VaultScene.identifier(), [version])
                let sequence = Int64(contents.count)
                #expect(try await scene.change(VaultScene.change(sequence, put: [put])).status == 200)
                contents.append(version.content)
            }
            let (long, short) = (contents[0], contents[1])
            let server = scene.organisation.server
            try await withLiveServer(server.shell, routes: server.routes) { port in
                let request =
                    "GET /api/vault/contents/\(long) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(scene.token)\r\n\r\n"
                let (begun, begin) = AsyncStream.makeStream(of: Bool.self)
                let held = (0..<Limits.vaultDownloadsPerAccount).map { _ in
                    Task { try await Self.hold(port, request, begin) }
                }
                defer { held.forEach { $0.cancel() } }
                var begins = begun.makeAsyncIterator()
                for _ in held {
                    let isUnderWay = await begins.next()
                    #expect(isUnderWay == true)
                }
                let start = scene.clock.clock.uptime()
                var answer = try await scene.content(short)
                #expect(answer.status == 503)
                // Second by second, so that the time at which it is free again is known.
                var passed = Duration.zero
                while answer.status == 503, passed < .seconds(1_000) {
                    scene.clock.advance(.seconds(1))
                    answer = try await scene.content(short)
                    passed = scene.clock.clock.uptime() - start
                }
                #expect(answer.status == 200 && answer.body == [7, 7, 7])
                // Not to the second: what still goes into the connections while the clock moves gives time back.
                #expect(passed >= .seconds(120), "\(passed)")
            }
        }
    }
}
