import Encodings
import Foundation
import QRCodes
import Testing

@testable import CodeScanner

/// `Fixtures/frames.json`: frames and the answers that they must get, byte for byte, here and in the page.
///
/// `Tests/Browser/wasm_check.py` gives the same frames to the WebAssembly that ships. They are a code that is turned, with
/// noise, one with a stain, paper, and frames whose sizes are wrong.
@Suite("The scanner's module")
struct CodeScannerTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Fixtures/frames.json")
    private static let link = Bytes(text: "https://sign.example.edu/add-device#kQ2-7c9_prüfen")

    /// A frame that shows a code, turned by fifteen degrees, with noise of fixed numbers.
    ///
    /// - Parameter stain: so many pixels of its middle are dark, across and down.
    private static func frame(_ text: Bytes, stain: Int = 0) throws -> Bytes {
        let code = try QRCode(encoding: text)
        let module: Float = 3.3
        let side = Int(module * Float(code.size + 12))
        var noise: UInt32 = 7
        var frame = number(side) + number(side)
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = (Float(column - side / 2), Float(row - side / 2))
                let u = (x * 0.9659258 + y * 0.2588190) / module + Float(code.size) / 2
                let v = (y * 0.9659258 - x * 0.2588190) / module + Float(code.size) / 2
                let isStained = abs(x) < Float(stain) / 2 && abs(y) < Float(stain) / 2
                let isDark = code[Int(v.rounded(.down)), Int(u.rounded(.down))] || isStained
                noise = noise &* 1_664_525 &+ 1_013_904_223
                frame.append((isDark ? 30 : 200) + UInt8(noise >> 28))
            }
        }
        return frame
    }

    private static func number(_ value: Int) -> Bytes {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func frames() throws -> [(name: String, frame: Bytes, state: CodeScanner.State)] {
        [
            ("a link", try frame(link), .text), ("bytes", try frame([0xFF, 0x00, 0xC3]), .bytes),
            ("a stain", try frame(Bytes(text: "https://example.org/s#1"), stain: 34), .damaged),
            ("paper", number(40) + number(30) + Bytes(repeating: 210, count: 1_200), .notFound),
            ("a pixel too few", number(40) + number(30) + Bytes(repeating: 210, count: 1_199), .badFrame),
            ("no pixels", number(0) + number(0), .badFrame), ("no size", [1, 2, 3], .badFrame),
            ("more than there can be", Bytes(repeating: 0xFF, count: 9), .badFrame), ("nothing", [], .badFrame),
        ]
    }

    @Test("Frames have the state that they must, and a text is what the code says")
    func states() throws {
        for (name, frame, state) in try Self.frames() {
            #expect(CodeScanner.answer(frame).first == state.rawValue, "\(name)")
        }
        #expect(CodeScanner.answer(try Self.frame(Self.link)) == [0] + Self.link)
        #expect(CodeScanner.answer(try Self.frame([0xFF, 0x00, 0xC3])) == [1, 0xFF, 0x00, 0xC3])
    }

    @Test("A picture that stays has a byte more, whatever it is, and is read as well")
    func still() throws {
        let frame = try Self.frame(Self.link)
        for byte: UInt8 in [0, 1, 255] { #expect(CodeScanner.answer(frame + [byte]) == [0] + Self.link) }
        #expect(CodeScanner.answer(frame + [1, 1]) == [CodeScanner.State.badFrame.rawValue])
        // A size that no pixels can have, and one byte too many for it.
        for size in [Self.number(0) + Self.number(0), Bytes(repeating: 0xFF, count: 8)] {
            #expect(CodeScanner.answer(size + [1]) == [CodeScanner.State.badFrame.rawValue])
        }
    }

    @Test("Recorded frames are answered as before")
    func recorded() throws {
        let file = try JSON.parse(Bytes(try Data(contentsOf: Self.file)), maximumLength: 1 << 20)
        let frames = try #require(file["frames"]?.array)
        #expect(frames.count >= 8)
        for one in frames {
            let call = try #require(one["call"]?.string.flatMap { Base64.decode($0, .url) })
            let answer = try #require(one["answer"]?.string.flatMap { Base64.decode($0, .url) })
            #expect(CodeScanner.answer(call) == answer, "\(one["name"]?.string ?? [])")
        }
    }
}
