import CZlib
import Encodings

/// Unpacks gzip (RFC 1952).
enum Gunzip {
    /// The largest file that comes out.
    static let maximumSize = 256 << 20

    /// The file in `bytes`; `bytes` themselves when they are not packed.
    static func unpack(_ bytes: Bytes) throws -> Bytes {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        var stream = unsafe z_stream()
        let isGzip: Int32 = 15 + 16
        guard unsafe inflateInit2_(&stream, isGzip, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw CommandError("there is not enough memory to unpack")
        }
        defer { unsafe inflateEnd(&stream) }
        var input = bytes
        var part = Bytes(repeating: 0, count: 1 << 20)
        var output: Bytes = []
        var status = Z_OK
        try unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe stream.next_in = source.baseAddress
            unsafe stream.avail_in = UInt32(source.count)
            while status == Z_OK {
                let length = unsafe part.withUnsafeMutableBufferPointer { target in
                    unsafe stream.next_out = target.baseAddress
                    unsafe stream.avail_out = UInt32(target.count)
                    status = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe target.count - Int(stream.avail_out)
                }
                output += part[0..<length]
                guard output.count <= maximumSize else {
                    throw CommandError("the unpacked file is larger than \(maximumSize >> 20) MiB")
                }
            }
        }
        guard status == Z_STREAM_END else { throw CommandError("the packed file is damaged or cut off") }
        return output
    }
}
