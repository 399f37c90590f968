import CPeers
import EllipticCurves
import Encodings

/// A curve of OpenSSL or BoringSSL.
@safe final class LibraryPeer: CurvePeer {
    private let library: peer_library
    private let key: OpaquePointer
    private let task: CurveTask

    /// `nil` if the library does not have the curve.
    init?(_ library: peer_library, _ task: CurveTask) {
        let (scalar, point) = (task.scalar, task.point)
        let made = unsafe "\(task.curve.name)".withCString { name in
            unsafe library.make(name, scalar, scalar.count, point, point.count)
        }
        guard let made = unsafe made else { return nil }
        unsafe (self.library, key, self.task) = (library, made, task)
    }

    deinit { unsafe library.release(key) }

    func agree() throws -> Bytes {
        var secret = Bytes(repeating: 0, count: task.curve.byteCount)
        guard unsafe library.agree(key, &secret, secret.count) == 1 else { throw PeerError("a peer does not agree") }
        return secret
    }

    func sign() throws -> Bytes {
        let length = task.curve.byteCount
        var signature = Bytes(repeating: 0, count: 2 * length)
        guard unsafe library.sign(key, task.message, task.message.count, &signature, length) == 1 else {
            throw PeerError("a peer does not sign")
        }
        return signature
    }

    func isValid(_ signature: Bytes) -> Bool {
        unsafe library.verify(key, task.message, task.message.count, signature, task.curve.byteCount) == 1
    }
}
