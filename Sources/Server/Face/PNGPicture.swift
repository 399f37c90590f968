import Encodings

/// A PNG (ISO/IEC 15948) that was checked chunk by chunk, with nothing in it beyond the picture.
struct PNGPicture: Equatable {
    /// The file: what is no part of the picture, such as texts, places and further frames, is gone.
    let bytes: Bytes
    let width: Int
    let height: Int

    /// What is wrong with a file.
    enum Fault: Error, Equatable {
        /// It is cut off, a checksum is wrong, or chunks are missing, unknown or out of order.
        case damaged
        /// More than `Limits.logoSide` pixels in one direction.
        case tooLarge
    }

    static let signature: Bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Chunks that decide what the picture looks like.
    private static let kept: Set<String> = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB"]

    init(_ file: Bytes) throws(Fault) {
        guard file.starts(with: Self.signature) else { throw .damaged }
        var offset = Self.signature.count
        var kept = Self.signature
        var names: [String] = []
        var size: (width: Int, height: Int) = (0, 0)
        while names.last != "IEND" {
            guard offset + 12 <= file.count else { throw .damaged }
            let length = Self.number(file, at: offset)
            guard length <= file.count - offset - 12 else { throw .damaged }
            let end = offset + 12 + length
            let name = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
            guard CRC32.of(file[offset + 4..<end - 4]) == UInt32(Self.number(file, at: end - 4)) else {
                throw .damaged
            }
            // A chunk whose name begins with a capital cannot be left out (section 5.4).
            let isCritical = file[offset + 4] & 0x20 == 0
            guard Self.kept.contains(name) || !isCritical else { throw .damaged }
            guard names.isEmpty == (name == "IHDR") else { throw .damaged }
            if name == "IHDR" { size = try Self.size(Array(file[offset + 8..<end - 4])) }
            if name == "IDAT", names.contains("IDAT"), names.last != "IDAT" { throw .damaged }
            if Self.kept.contains(name) { kept += file[offset..<end] }
            names.append(name)
            offset = end
        }
        // Bytes after the end are not part of the picture.
        guard offset == file.count, names.contains("IDAT") else { throw .damaged }
        (bytes, width, height) = (kept, size.width, size.height)
    }

    /// Section 11.2.1.
    private static func size(_ header: Bytes) throws(Fault) -> (width: Int, height: Int) {
        guard header.count == 13 else { throw .damaged }
        let (width, height) = (number(header, at: 0), number(header, at: 4))
        let depths: [UInt8: Set<UInt8>] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard width > 0, height > 0, depths[header[9]]?.contains(header[8]) == true, header[10] == 0, header[11] == 0,
            header[12] <= 1
        else { throw .damaged }
        guard width <= Limits.logoSide, height <= Limits.logoSide else { throw .tooLarge }
        return (width, height)
    }

    private static func number(_ bytes: Bytes, at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
