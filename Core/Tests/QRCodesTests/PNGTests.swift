import Encodings
import Testing

@testable import QRCodes

/// Inputs that give pictures, and inputs that do not.
///
/// The stream is not packed here, so a test sees every byte.
@Suite("PNG files")
struct PNGTests {
    private typealias Parts = [(name: String, content: Bytes)]

    private static func four(_ value: Int) -> Bytes { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private static func chunk(_ name: String, _ content: Bytes) -> Bytes {
        let body = Bytes(name.utf8) + content
        return four(content.count) + body + four(Int(CRC32.of(body[...])))
    }

    private static func file(_ parts: Parts) -> Bytes {
        parts.reduce([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { $0 + chunk($1.name, $1.content) }
    }

    private static func header(
        _ width: Int, _ height: Int, depth: UInt8 = 8, colour: UInt8 = 0, interlaced: UInt8 = 0
    ) -> (name: String, content: Bytes) {
        ("IHDR", four(width) + four(height) + [depth, colour, 0, 0, interlaced])
    }

    private static func read(_ file: Bytes) throws(PNGError) -> GreyPicture {
        try GreyPicture(png: file) { stream, count in stream.count == count ? stream : nil }
    }

    private static func pixels(
        _ header: (name: String, content: Bytes), _ rows: Bytes, palette: Bytes? = nil, transparency: Bytes? = nil
    ) throws -> Bytes {
        var parts: Parts = [header]
        if let palette { parts.append(("PLTE", palette)) }
        if let transparency { parts.append(("tRNS", transparency)) }
        return try read(file(parts + [("IDAT", rows), ("IEND", [])])).pixels
    }

    @Test("Every colour type and depth gives shades, and what is transparent is paper")
    func colours() throws {
        let cases: [(depth: UInt8, colour: UInt8, row: Bytes, shades: Bytes)] = [
            (1, 0, [0b0100_0000], [0, 255]), (2, 0, [0b0111_0000], [85, 255]), (4, 0, [0x0F], [0, 255]),
            (8, 0, [7, 200], [7, 200]), (16, 0, [7, 99, 200, 1], [7, 200]),
            (8, 2, [255, 255, 255, 0, 255, 0], [255, 149]), (16, 2, [9, 0, 9, 0, 9, 0, 0, 1, 0, 1, 0, 1], [9, 0]),
            (8, 4, [100, 255, 0, 0], [100, 255]), (16, 4, [50, 0, 255, 255, 0, 0, 0, 0], [50, 255]),
            (8, 6, [10, 10, 10, 255, 10, 10, 10, 0], [10, 255]),
            (16, 6, [1, 0, 1, 0, 1, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 255]),
        ]
        for (depth, colour, row, shades) in cases {
            let found = try Self.pixels(Self.header(2, 1, depth: depth, colour: colour), [0] + row)
            #expect(found == shades, "type \(colour), \(depth) bits")
        }
        let indexed = Self.header(3, 1, depth: 2, colour: 3)
        let palette: Bytes = [0, 0, 0, 90, 90, 90]
        // The third pixel has an entry that is not there.
        #expect(try Self.pixels(indexed, [0, 0b0001_1000], palette: palette) == [0, 90, 0])
        #expect(try Self.pixels(indexed, [0, 0b0001_1000], palette: palette, transparency: [0]) == [255, 90, 0])
        #expect(try Self.pixels(Self.header(2, 1), [0, 5, 6], transparency: [0, 5]) == [255, 6])
        let red = Self.header(1, 1, colour: 2)
        #expect(try Self.pixels(red, [0, 255, 0, 0], transparency: [0, 255, 0, 0, 0, 0]) == [255])
    }

    @Test("All five filters are taken back")
    func filters() throws {
        let rows: Bytes = [
            0, 10, 20, 30, 1, 10, 10, 10, 2, 1, 1, 1, 3, 5, 5, 5, 4, 1, 1, 1,
        ]
        let found = try Self.pixels(Self.header(3, 5), rows)
        #expect(found == [10, 20, 30, 10, 20, 30, 11, 21, 31, 10, 20, 30, 11, 21, 31])
    }

    @Test("An interlaced picture has its pixels where they belong", arguments: [1, 2, 3, 5, 8, 9])
    func interlaced(side: Int) throws {
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        var rows: Bytes = []
        for (left, top, across, down) in passes where left < side && top < side {
            for y in stride(from: top, to: side, by: down) {
                rows.append(0)
                for x in stride(from: left, to: side, by: across) { rows.append(UInt8(y * side + x)) }
            }
        }
        let found = try Self.pixels(Self.header(side, side, interlaced: 1), rows)
        #expect(found == (0..<side * side).map { UInt8($0) })
    }

    @Test("What is no whole picture is refused, each with its reason")
    func refused() throws {
        let header = Self.header(2, 1)
        let data: (name: String, content: Bytes) = ("IDAT", [0, 1, 2])
        let end: (name: String, content: Bytes) = ("IEND", [])
        let good = Self.file([header, data, end])
        #expect(try Self.read(good).pixels == [1, 2])
        var checksum = good
        checksum[good.count - 1] ^= 1
        var length = good
        length[8] = 0xFF
        let cases: [(String, Bytes, PNGError)] = [
            ("nothing", [], .notPNG), ("a JPEG", [0xFF, 0xD8, 0xFF, 0xE0], .notPNG),
            ("the signature alone", Bytes(good.prefix(8)), .damaged), ("a checksum", checksum, .damaged),
            ("a length beyond the end", length, .damaged), ("a byte behind the end", good + [0], .damaged),
            ("no end", Self.file([header, data]), .damaged), ("no data", Self.file([header, end]), .damaged),
            ("no header", Self.file([data, end]), .damaged),
            ("data in two places", Self.file([header, data, ("tEXt", []), data, end]), .damaged),
            ("a palette behind the data", Self.file([header, data, ("PLTE", [1, 2, 3]), end]), .damaged),
            ("half an entry", Self.file([header, ("PLTE", [1, 2]), data, end]), .damaged),
            ("no palette", Self.file([Self.header(2, 1, colour: 3), data, end]), .damaged),
            ("a chunk that it must know", Self.file([header, ("ABCD", []), data, end]), .unknownChunk),
            ("no width", Self.file([Self.header(0, 1), data, end]), .damaged),
            ("three bits", Self.file([Self.header(2, 1, depth: 3), data, end]), .damaged),
            ("four bits of red", Self.file([Self.header(2, 1, depth: 4, colour: 2), data, end]), .damaged),
            ("colour type 5", Self.file([Self.header(2, 1, colour: 5), data, end]), .damaged),
            ("interlacing 2", Self.file([Self.header(2, 1, interlaced: 2), data, end]), .damaged),
            ("a filter that is not there", Self.file([header, ("IDAT", [5, 1, 2]), end]), .damaged),
            ("a row too few", Self.file([Self.header(2, 2), data, end]), .damaged),
            ("a side that is too long", Self.file([Self.header(16_385, 1), data, end]), .tooLarge),
            ("a width of 2³² less one", Self.file([Self.header(0xFFFF_FFFF, 1), data, end]), .tooLarge),
            ("too many pixels", Self.file([Self.header(16_384, 4_097), data, end]), .tooLarge),
        ]
        for (name, file, error) in cases {
            #expect(throws: error, "\(name)") { try Self.read(file) }
        }
        for cut in 8..<good.count {
            #expect(throws: PNGError.damaged, "cut at \(cut)") { try Self.read(Bytes(good.prefix(cut))) }
        }
    }

    @Test("A picture that would unpack to more than allowed is refused before it is unpacked")
    func bomb() throws {
        let file = Self.file([Self.header(8_192, 8_192, depth: 16, colour: 6), ("IDAT", [0]), ("IEND", [])])
        var asked = false
        #expect(throws: PNGError.tooLarge) {
            try GreyPicture(png: file) { _, _ in
                asked = true
                return nil
            }
        }
        #expect(!asked)
    }
}
