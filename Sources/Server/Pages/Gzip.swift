import CZlib
import Encodings
import Synchronization
import Workers

/// Gzip (RFC 1952), for the files that pages load: a phone on a slow line waits for a third of the bytes.
///
/// Only files that are the same for everybody are compressed. An answer that holds a secret beside something a stranger
/// chose would give the secret away by its length.
enum Gzip {
    /// Whether an `Accept-Encoding` field names gzip, other than with weight 0 (RFC 9110, section 12.5.3).
    static func isAccepted(_ field: String?) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == "gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }

    /// The compressed form of `bytes`, or nil if it would not be smaller.
    static func compress(_ bytes: Bytes) -> Bytes? {
        var stream = unsafe z_stream()
        let withGzipHeader: Int32 = 15 + 16
        let started = unsafe deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, withGzipHeader, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard started == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        // No room for more than the original: what does not fit is served as it is.
        var input = bytes
        var output = Bytes(repeating: 0, count: bytes.count)
        let length = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target -> Int? in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
                return unsafe target.count - Int(stream.avail_out)
            }
        }
        return length.map { Bytes(output.prefix($0)) }
    }
}

/// Compressed forms, each made when it is first asked for and kept until the file changes.
final class GzippedFiles: Sendable {
    private struct Kept {
        let tag: String
        let bytes: Bytes?
    }

    private let kept = Mutex<[String: Kept]>([:])

    /// - Returns: nil if compressing the file does not make it smaller, or too much work waits: then it is served as it is.
    func bytes(of path: String, _ file: WebFolder.File, _ work: BlockingWork) async -> Bytes? {
        if let known = kept.withLock({ $0[path] }), known.tag == file.tag { return known.bytes }
        let content = file.bytes
        guard case .success(let bytes) = await work.attempt({ Gzip.compress(content) }) else { return nil }
        let made = Kept(tag: file.tag, bytes: bytes)
        kept.withLock { $0[path] = made }
        return made.bytes
    }
}
