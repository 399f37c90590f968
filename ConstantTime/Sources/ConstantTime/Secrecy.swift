import CMemcheck
import Encodings

/// Why a run proves nothing.
struct Unproven: Error {
    let reason: String
}

extension Array where Element == UInt8 {
    /// The bytes as memcheck shall see secrets: undefined.
    var secret: Bytes {
        // Not shared with a constant, which has to stay defined.
        var copy = Bytes()
        copy.append(contentsOf: self)
        unsafe copy.withUnsafeBytes { unsafe memcheck_make_undefined($0.baseAddress, $0.count) }
        return copy
    }

    /// The bytes as everybody may know them: a public key, a signature.
    ///
    /// - Throws: `Unproven` unless they depend on secrets, except for two bytes that may be constant. If they do not,
    ///   memcheck has lost sight of the secrets on the way, and its silence means nothing.
    func published(_ what: String) throws(Unproven) -> Bytes {
        let undefined = unsafe withUnsafeBytes { unsafe memcheck_count_undefined($0.baseAddress, $0.count) }
        guard undefined + 2 >= count, undefined > 0 else {
            throw Unproven(reason: "of \(count) bytes of the \(what) only \(undefined) depend on secrets")
        }
        unsafe withUnsafeBytes { unsafe memcheck_make_defined($0.baseAddress, $0.count) }
        return self
    }
}
