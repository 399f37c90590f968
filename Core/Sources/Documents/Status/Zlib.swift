public import Encodings

/// The zlib format (RFC 1950) around DEFLATE (RFC 1951).
public enum Zlib {
    /// Unpacks a zlib stream.
    ///
    /// Strict: no preset dictionary, nothing behind the checksum, and the checksum must agree.
    /// - Parameter maximumLength: of the output, in bytes; a stream that gives more is refused while it unpacks.
    public static func decompress(_ stream: Bytes, maximumLength: Int) throws(StatusError) -> Bytes {
        guard stream.count >= 6 else { throw .corruptCompression }
        let method = stream[0]
        let flags = stream[1]
        guard method & 0x0F == 8, method >> 4 <= 7, (UInt(method) << 8 | UInt(flags)) % 31 == 0, flags & 0x20 == 0
        else { throw .corruptCompression }
        var inflater = Inflater(stream, from: 2, to: stream.count - 4, maximumLength: maximumLength)
        let output = try inflater.inflate()
        var checksum: UInt32 = 0
        for byte in stream[(stream.count - 4)...] { checksum = checksum << 8 | UInt32(byte) }
        guard checksum == adler32(output) else { throw .corruptCompression }
        return output
    }

    /// Packs bytes as a zlib stream: one block with fixed Huffman codes, in which runs of a byte become matches.
    ///
    /// That is all a status list needs: it is nearly all zeros.
    public static func compress(_ bytes: Bytes) -> Bytes {
        var deflater = Deflater()
        deflater.compress(bytes)
        var stream: Bytes = [0x78, 0x9C]
        stream.append(contentsOf: deflater.finish())
        let checksum = adler32(bytes)
        for shift in [24, 16, 8, 0] as [UInt32] { stream.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
        return stream
    }

    /// Adler-32 (RFC 1950 section 8.2).
    static func adler32(_ bytes: Bytes) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        var index = 0
        while index < bytes.count {
            // 5552 is the most bytes after which the sums still fit 32 bits.
            let end = min(index + 5552, bytes.count)
            while index < end {
                low &+= UInt32(bytes[index])
                high &+= low
                index += 1
            }
            low %= 65521
            high %= 65521
        }
        return high << 16 | low
    }
}

/// Writes DEFLATE with fixed codes.
struct Deflater {
    private var output: Bytes = []
    private var accumulator: UInt32 = 0
    private var count: UInt32 = 0

    /// Writes `bytes` as one final block.
    mutating func compress(_ bytes: Bytes) {
        put(0b011, 3)
        var index = 0
        while index < bytes.count {
            literal(bytes[index])
            var end = index + 1
            while end < bytes.count, bytes[end] == bytes[index] { end += 1 }
            var run = end - index - 1
            while run >= 3 {
                let length = min(run, 258)
                match(UInt32(length))
                run -= length
            }
            for _ in 0..<run { literal(bytes[index]) }
            index = end
        }
        symbol(256)
    }

    consuming func finish() -> Bytes {
        if count > 0 { output.append(UInt8(truncatingIfNeeded: accumulator)) }
        return output
    }

    private mutating func literal(_ byte: UInt8) { symbol(UInt32(byte)) }

    /// A match of `length` bytes at distance 1: the last byte again and again.
    private mutating func match(_ length: UInt32) {
        var code = 28
        while UInt32(DeflateTables.lengthBase[code]) > length { code -= 1 }
        // 258 has a code of its own, which stands after the codes that could also spell it.
        symbol(257 + UInt32(code))
        put(length - UInt32(DeflateTables.lengthBase[code]), UInt32(DeflateTables.lengthExtra[code]))
        put(0, 5)
    }

    /// The fixed code of a symbol (RFC 1951 section 3.2.6), most significant bit first.
    private mutating func symbol(_ symbol: UInt32) {
        switch symbol {
        case 0..<144: reversed(0x30 + symbol, 8)
        case 144..<256: reversed(0x190 + symbol - 144, 9)
        case 256..<280: reversed(symbol - 256, 7)
        default: reversed(0xC0 + symbol - 280, 8)
        }
    }

    private mutating func reversed(_ code: UInt32, _ length: UInt32) {
        var bits: UInt32 = 0
        for shift in 0..<length { bits |= (code >> shift & 1) << (length - 1 - shift) }
        put(bits, length)
    }

    private mutating func put(_ bits: UInt32, _ length: UInt32) {
        accumulator |= bits << count
        count += length
        while count >= 8 {
            output.append(UInt8(truncatingIfNeeded: accumulator))
            accumulator >>= 8
            count -= 8
        }
    }
}

/// The constants of RFC 1951 sections 3.2.5 and 3.2.7.
enum DeflateTables {
    static let lengthBase: [UInt16] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    static let lengthExtra: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    static let distanceBase: [UInt16] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    static let distanceExtra: [UInt8] = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    static let codeLengthOrder: [UInt8] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
}
