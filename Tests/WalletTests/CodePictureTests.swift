import Documents
import Encodings
import Foundation
import Pico
import QRCodes
import Testing

@testable import Wallet
@testable import countersign

@Suite("Codes in pictures, on the command line")
struct CodePictureTests {
    private let scratch: Scratch
    private static let link = "https://sign.example.edu/s/abc#k3y"

    init() throws { scratch = try Scratch() }

    /// A grey PNG of these rows.
    private func png(_ width: Int, _ height: Int, _ pixels: Bytes) -> Bytes {
        var rows: Bytes = []
        for row in 0..<height { rows += [0] + pixels[row * width..<(row + 1) * width] }
        let header = Self.four(width) + Self.four(height) + [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", Zlib.compress(rows)) + Self.chunk("IEND", [])
    }

    private static func four(_ value: Int) -> Bytes { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private static func chunk(_ name: String, _ content: Bytes) -> Bytes {
        let body = Bytes(text: name) + content
        return four(content.count) + body + four(Int(CRC32.of(body[...])))
    }

    /// A picture of a code, four pixels a module; the path of its file.
    private func picture(_ text: Bytes) throws -> String {
        let code = try QRCode(encoding: text)
        let side = 4 * (code.size + 8)
        let pixels = (0..<side * side).map { index in
            code[index / side / 4 - 4, index % side / 4 - 4] ? UInt8(20) : 235
        }
        return try file(png(side, side, pixels))
    }

    private func file(_ bytes: Bytes) throws -> String {
        let path = scratch.folder + "/code.png"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("The text of a code is read from a PNG")
    func read() throws {
        #expect(try CodePicture.read(picture(Bytes(text: Self.link))) == Self.link)
    }

    @Test("The code of a service to sign in to is read from a PNG, and from a file with its text")
    func service() throws {
        let stage = try PicoStage()
        let codes = [try stage.pairingCode(named: "Café 東京").encoded(), stage.code.encoded()]
        for code in codes {
            #expect(try Bytes(text: ApprovalText.read(picture(code))) == code)
            let path = scratch.folder + "/code.txt"
            try Data(code + [0x0A]).write(to: URL(fileURLWithPath: path))
            #expect(try Bytes(text: ApprovalText.read(path)) == code)
            #expect(try WalletClient.picoCode(code).decision == .run)
        }
    }

    @Test("A question's code is filled in from a picture of the asking page, and never from a text")
    func filledIn() throws {
        let link = "authreq:2:bDE6eGU"
        let scanned = try ApprovalText.readQuestion(picture(Bytes(text: link + "#0471")))
        #expect(scanned.question == link && scanned.code == "0471")
        let sent = try ApprovalText.readQuestion(link + "#0471")
        #expect(sent.question == link && sent.code == nil)
        for end in ["", "#", "#1", "#12a4", "#1#2345", "#1234567890123"] {
            let text = link + end
            let read = try ApprovalText.readQuestion(picture(Bytes(text: text)))
            #expect(read.question == text && read.code == nil)
        }
    }

    @Test("What is no PNG's name is the code itself")
    func texts() throws {
        for text in [Self.link, "CK5A-YNXT", "https://a.example/b.png", ""] {
            #expect(try CodePicture.text(text) == text)
        }
        #expect(try CodePicture.text(picture(Bytes(text: Self.link))) == Self.link)
        #expect(throws: CommandError.self) { try CodePicture.text("/there/is/no.png") }
    }

    @Test("A picture without a readable code is a refusal, and a file that is no picture an error")
    func refused() throws {
        let cases: [(Bytes, String, Bool)] = [
            (png(30, 30, Bytes(repeating: 255, count: 900)), "There is no QR code", true),
            (Bytes(text: "%PDF-1.7"), "is not a PNG", false),
            (Bytes(png(9, 9, Bytes(0..<81)).dropLast()), "is damaged", false),
            (png(20_000, 0, []), "is damaged", false),
        ]
        for (bytes, words, isRefusal) in cases {
            let path = try file(bytes)
            let error = #expect(throws: CommandError.self) { try CodePicture.read(path) }
            #expect(error?.words.contains(words) == true && error?.isRefusal == isRefusal, "\(error?.words ?? "")")
        }
        let bytes = try picture([0xFF, 0xFE])
        let error = #expect(throws: CommandError.self) { try CodePicture.read(bytes) }
        #expect(error?.words.contains("holds no text") == true && error?.isRefusal == true)
    }

    @Test("A stream that unpacks to more or fewer bytes than a picture has is refused")
    func inflating() {
        let stream = Zlib.compress(Bytes(repeating: 7, count: 10_000))
        #expect(CodePicture.inflate(stream, 10_000)?.count == 10_000)
        for count in [0, 1, 9_999, 10_001] { #expect(CodePicture.inflate(stream, count) == nil, "\(count)") }
        #expect(CodePicture.inflate(Bytes(stream.dropLast()), 10_000) == nil)
    }
}
