import Encodings
import Testing

@testable import Server

@Suite("A PNG logo")
struct PNGTests {
    static func chunk(_ name: String, _ data: Bytes) -> Bytes {
        let body = Bytes(text: name) + data
        return number(data.count) + body + number(Int(CRC32.of(body[...])))
    }

    static func number(_ value: Int) -> Bytes { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    static func header(_ width: Int, _ height: Int, _ end: Bytes = [8, 6, 0, 0, 0]) -> Bytes {
        chunk("IHDR", number(width) + number(height) + end)
    }

    /// One that other programs show: its data is one transparent pixel.
    static let data = chunk("IDAT", [0x78, 0x9C, 0x63, 0x60, 0x00, 0x02, 0x00, 0x00, 0x05, 0x00, 0x01])
    static func file(_ chunks: Bytes...) -> Bytes { PNGPicture.signature + chunks.flatMap { $0 } }
    static let end = chunk("IEND", [])
    static let small = file(header(1, 1), data, end)

    @Test("is kept without what is no part of the picture")
    func stripped() throws {
        let place = Self.chunk("eXIf", Bytes(text: "where it was taken"))
        let words = Self.chunk("tEXt", Bytes(text: "Author\u{0}Somebody"))
        let frames = Self.chunk("acTL", [0, 0, 0, 9, 0, 0, 0, 0])
        let transparent = Self.chunk("tRNS", [0, 0, 0, 0, 0, 0])
        let picture = try PNGPicture(
            Self.file(Self.header(3, 2), place, frames, transparent, Self.data, words, Self.end))
        #expect(picture.bytes == Self.file(Self.header(3, 2), transparent, Self.data, Self.end))
        #expect(picture.width == 3 && picture.height == 2)
        #expect(try PNGPicture(picture.bytes) == picture)
    }

    @Test("is refused when anything is wrong with it")
    func refused() {
        var flipped = Self.small
        flipped[flipped.count - 20] ^= 1
        let big = Self.number(0x7FFF_FFFF) + Bytes(text: "IDAT")
        let cases: [(String, Bytes, PNGPicture.Fault)] = [
            ("HTML", Bytes(text: "<html><script>alert(1)</script></html>"), .damaged), ("nothing", [], .damaged),
            ("HTML behind the signature", PNGPicture.signature + Bytes(text: "<html><body></body></html>"), .damaged),
            ("HTML behind the end", Self.small + Bytes(text: "<script>"), .damaged),
            ("a flipped bit", flipped, .damaged),
            ("a length beyond the end", Self.file(Self.header(1, 1), big), .damaged),
            ("no header", Self.file(Self.data, Self.end), .damaged),
            ("no data", Self.file(Self.header(1, 1), Self.end), .damaged),
            ("two headers", Self.file(Self.header(1, 1), Self.header(1, 1), Self.data, Self.end), .damaged),
            ("no end", Self.file(Self.header(1, 1), Self.data), .damaged),
            (
                "data in two places",
                Self.file(Self.header(1, 1), Self.data, Self.chunk("tEXt", []), Self.data, Self.end), .damaged
            ),
            (
                "an unknown chunk that counts",
                Self.file(Self.header(1, 1), Self.chunk("EVIL", []), Self.data, Self.end), .damaged
            ),
            ("no pixels", Self.file(Self.header(0, 1), Self.data, Self.end), .damaged),
            ("a depth that is none", Self.file(Self.header(1, 1, [3, 6, 0, 0, 0]), Self.data, Self.end), .damaged),
            ("a bomb", Self.file(Self.header(60_000, 60_000), Self.data, Self.end), .tooLarge),
            ("a strip", Self.file(Self.header(1, 2_049), Self.data, Self.end), .tooLarge),
        ]
        for (name, file, fault) in cases {
            #expect(throws: fault, "\(name)") { _ = try PNGPicture(file) }
        }
        for length in 0..<Self.small.count {
            #expect(throws: PNGPicture.Fault.damaged) { _ = try PNGPicture(Array(Self.small.prefix(length))) }
        }
    }
}
