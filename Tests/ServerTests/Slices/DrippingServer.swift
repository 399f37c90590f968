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
        // A `sockaddr_in` byte by byte: which module its members are of depends on what else is compiled with this file.
        var address = unsafe withUnsafeBytes(of: sa_family_t(AF_INET)) { unsafe Array($0) } + [0, 0, 127, 0, 0, 1]
        address += [UInt8](repeating: 0, count: 8)
        var length = socklen_t(address.count)
        let isListening = unsafe address.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: sockaddr.self) { bytes in
                guard let pointer = bytes.baseAddress else { return false }
                return unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(isListening)
        self.descriptor = descriptor
        let port = Int(address[2]) << 8 | Int(address[3])
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
