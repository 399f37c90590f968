import Foundation
import Glibc

extension DemoServer {
    /// A free port of the loopback interface, below the range from which the system gives out ports.
    ///
    /// So until the server listens, and between a stop and the next start, no other program is given it by chance. It stays
    /// reserved for as long as this process runs, against all that ask here or at `scripts/ports.py`.
    ///
    /// - Throws: `DemoFailure` if there is none.
    static func freePort() throws -> Int {
        for port in (20_000..<32_768).shuffled() {
            guard let reservation = reserve(port) else { continue }
            if isFree(port) { return port }
            close(reservation)
        }
        throw DemoFailure(step: "server", reason: "no free port")
    }

    /// Takes the name that stands for a port: a socket of the abstract namespace, which one process has at a time, and which
    /// is gone with it, however it ends.
    ///
    /// - Returns: the socket, which nothing needs to keep; nil if another process or an earlier call has the name.
    private static func reserve(_ port: Int) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array("\0countersign-port-\(port)".utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + name.count } ?? 0
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(length))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether nobody listens at a port, and nobody has asked to.
    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
