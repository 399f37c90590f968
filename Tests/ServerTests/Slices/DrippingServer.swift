import Foundation
import Glibc
import Synchronization
import Testing

/// Answers each connection with a head, and then with one byte after the other for as long as anybody reads.
final class DrippingServer: Sendable {
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
