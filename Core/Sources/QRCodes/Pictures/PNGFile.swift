import Encodings

/// The chunks of a PNG (ISO/IEC 15948) that its shades are made of, checked one by one.
struct PNGFile {
    /// The most bytes that a picture may have unpacked.
    static let mostBytes = 1 << 27

    private static let signature: Bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Section 11.2.1.
    struct Header {
        let width: Int
        let height: Int
        /// Bits a sample.
        let depth: Int
        let colour: Colour
        let isInterlaced: Bool

        /// Bits a pixel.
        var pixelBits: Int { depth * colour.samples }
    }

    /// What a pixel is made of.
    enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgbAlpha = 6

        /// Samples a pixel.
        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        fileprivate func allows(depth: Int) -> Bool {
            switch self {
            case .grey: [1, 2, 4, 8, 16].contains(depth)
            case .palette: [1, 2, 4, 8].contains(depth)
            default: depth == 8 || depth == 16
            }
        }
    }

    let header: Header
    /// Red, green and blue of each entry.
    private(set) var palette: Bytes = []
    /// The content of `tRNS`: the opacities of a palette, otherwise the samples that are transparent.
    private(set) var transparency: Bytes = []
    /// The zlib stream.
    private(set) var packed: Bytes = []

    init(_ file: Bytes) throws(PNGError) {
        guard file.starts(with: Self.signature) else { throw .notPNG }
        var offset = Self.signature.count
        let first = try Self.chunk(file, at: offset)
        guard first.is("IHDR") else { throw .damaged }
        header = try Self.header(Bytes(file[first.content]))
        offset = first.end
        // The data is in chunks that follow each other.
        var isInData = false
        while true {
            let chunk = try Self.chunk(file, at: offset)
            offset = chunk.end
            if chunk.is("IEND") { break }
            let isData = chunk.is("IDAT")
            guard !isData || packed.isEmpty || isInData else { throw .damaged }
            isInData = isData
            if isData {
                packed.append(contentsOf: file[chunk.content])
            } else if chunk.is("PLTE") {
                guard palette.isEmpty, packed.isEmpty, (1...256).contains(chunk.content.count / 3),
                    chunk.content.count % 3 == 0
                else { throw .damaged }
                palette = Bytes(file[chunk.content])
            } else if chunk.is("tRNS") {
                guard packed.isEmpty else { throw .damaged }
                transparency = Bytes(file[chunk.content])
            } else if chunk.isCritical {
                throw .unknownChunk
            }
        }
        guard offset == file.count, !packed.isEmpty, header.colour != .palette || !palette.isEmpty else {
            throw .damaged
        }
    }

    private struct Chunk {
        let name: Bytes
        let content: Range<Int>
        let end: Int

        func `is`(_ text: StaticString) -> Bool { name.equals(text) }

        /// A chunk whose name begins with a capital cannot be left out (section 5.4).
        var isCritical: Bool { name[0] & 0x20 == 0 }
    }

    private static func chunk(_ file: Bytes, at offset: Int) throws(PNGError) -> Chunk {
        guard file.count - offset >= 12 else { throw .damaged }
        let length = number(file, at: offset)
        guard length >= 0, length <= file.count - offset - 12 else { throw .damaged }
        let end = offset + 12 + length
        guard CRC32.of(file[offset + 4..<end - 4]) == UInt32(truncatingIfNeeded: number(file, at: end - 4)) else {
            throw .damaged
        }
        return Chunk(name: Bytes(file[offset + 4..<offset + 8]), content: offset + 8..<end - 4, end: end)
    }

    private static func header(_ content: Bytes) throws(PNGError) -> Header {
        guard content.count == 13, let colour = Colour(rawValue: content[9]), colour.allows(depth: Int(content[8])),
            content[10] == 0, content[11] == 0, content[12] <= 1
        else { throw .damaged }
        let (width, height) = (number(content, at: 0), number(content, at: 4))
        guard width > 0, height > 0 else { throw .damaged }
        guard width <= GreyPicture.longestSide, height <= GreyPicture.longestSide,
            width * height <= GreyPicture.mostPixels
        else { throw .tooLarge }
        return Header(
            width: width, height: height, depth: Int(content[8]), colour: colour, isInterlaced: content[12] == 1)
    }

    private static func number(_ bytes: Bytes, at offset: Int) -> Int {
        var number: UInt32 = 0
        for byte in bytes[offset..<offset + 4] { number = number << 8 | UInt32(byte) }
        return Int(truncatingIfNeeded: number)
    }
}
