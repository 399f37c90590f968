import Foundation
import Glibc
import Synchronization
import Testing

@testable import Server

/// A witness is somebody else's server, and may answer anything.
@Suite("Witnesses that misbehave over HTTP", .timeLimit(.minutes(2)))
struct WitnessTransportTests {
    /// Answers each connection with a head, and then with one byte after the other for as long as anybody reads.
    private final class Dripping: Sendable {
        let port: Int
        private let descriptor: Int32
        private let connections = Mutex(0)
        var asked: Int { connections.withLock(\.self) }

        init(_ answer: @escaping @Sendable (_ port: Int) -> String, drips: Bool) throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                        && getsockname(descriptor, $0, &length) == 0
                }
            }
            try #require(isListening)
            self.descriptor = descriptor
            let port = Int(UInt16(bigEndian: address.sin_port))
            self.port = port
            Thread.detachNewThread { [self] in
                while true {
                    let connection = accept(descriptor, nil, nil)
                    guard connection >= 0 else { return }
                    connections.withLock { $0 += 1 }
                    Thread.detachNewThread {
                        var request = [UInt8](repeating: 0, count: 65_536)
                        _ = unsafe recv(connection, &request, request.count, 0)
                        var bytes = Array(answer(port).utf8)
                        while unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0, drips {
                            bytes = [UInt8(ascii: "1")]
                            usleep(20_000)
                        }
                        close(connection)
                    }
                }
            }
        }

        func stop() {
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
        }
    }

    @Test("an answer that never ends is given up in time")
    func dripping() async throws {
        let server = try Dripping({ _ in "HTTP/1.1 200 OK\r\ncontent-length: 16000\r\n\r\n" }, drips: true)
        defer { server.stop() }
        await #expect(throws: (any Error).self) {
            _ = try await HTTPWitnessTransport(patience: .milliseconds(300))
                .addCheckpoint([1], at: "http://127.0.0.1:\(server.port)")
        }
    }

    @Test("a redirect is not followed", arguments: [301, 302, 307, 308])
    func redirect(status: Int) async throws {
        let server = try Dripping(
            {
                "HTTP/1.1 \(status) Elsewhere\r\nlocation: http://127.0.0.1:\($0)/elsewhere\r\ncontent-length: 0\r\n\r\n"
            },
            drips: false)
        defer { server.stop() }
        let answer = try await HTTPWitnessTransport().addCheckpoint([1], at: "http://127.0.0.1:\(server.port)")
        #expect(answer.status == status)
        #expect(server.asked == 1)
    }
}
