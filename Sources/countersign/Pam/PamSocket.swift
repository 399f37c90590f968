import Encodings
import Foundation
import Glibc

/// Where a helper that stays can be reached: a socket in a folder that only root can open.
struct PamSocket: Sendable {
    /// How long either side waits for the other, in seconds.
    private static let patience = 5

    let path: String
    private let descriptor: Int32

    /// Listens; an old socket of that name is replaced.
    ///
    /// The name is there only when somebody listens: one at which nobody does is taken for that of a killed helper.
    init(_ path: String) throws(CommandError) {
        self.path = path
        descriptor = try Self.make()
        let new = path + ".new"
        unsafe unlink(new)
        guard unsafe Self.with(new, { unsafe bind(descriptor, $0, $1) }) == 0, listen(descriptor, 8) == 0,
            unsafe rename(new, path) == 0
        else {
            Glibc.close(descriptor)
            throw CommandError("\(path) cannot be listened at")
        }
    }

    /// Answers, one after the other, on a thread of its own.
    func serve(_ answer: @escaping @Sendable (PamRequest, PamLine) -> Void) {
        Thread.detachNewThread { [descriptor] in
            while true {
                let peer = accept(descriptor, nil, nil)
                if peer < 0, errno == EINTR { continue }
                guard peer >= 0 else { return }
                Self.limit(peer)
                let line = PamLine(descriptor: peer)
                if let request = PamRequest(next: line.take) { answer(request, line) }
                Glibc.close(peer)
            }
        }
    }

    /// Listens no more.
    func remove() {
        unsafe unlink(path)
        leave()
    }

    /// Listens no more; the name is another helper's from now on.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Says something to the helper behind a socket.
    ///
    /// - Returns: its answer; `nil` if there is none.
    static func ask(_ path: String, _ frames: [(UInt8, String)]) -> PamRequest? {
        guard let descriptor = try? make() else { return nil }
        defer { Glibc.close(descriptor) }
        limit(descriptor)
        guard unsafe with(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
            // A helper that was killed has left its name behind.
            if errno == ECONNREFUSED { unsafe unlink(path) }
            return nil
        }
        let line = PamLine(descriptor: descriptor)
        guard frames.allSatisfy({ line.say($0.0, $0.1) }) else { return nil }
        return PamRequest(next: line.take)
    }

    private static func make() throws(CommandError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CommandError("this machine has no sockets left") }
        return descriptor
    }

    private static func limit(_ descriptor: Int32) {
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Does something with the address of a path; -1 if the path is too long for one.
    private static func with(_ path: String, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe work($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
