import ArgumentParser
import Foundation
import QRCodes

/// `countersign-bench qr`: reads the frames that `Benchmarks/qr_pictures.py` sends, one after the other.
struct QRBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Read QR codes in grey frames from standard input, a line for each.",
        discussion: """
            A frame is its width and its height, four bytes each with the highest first, and its grey pixels. The answer \
            is the microseconds that reading took, then the text in hexadecimal, or - when there is none. Wait for the \
            answer before you send the next frame.
            """)

    func run() throws {
        while let head = Self.read(8) {
            let width = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
            let height = head[4..<8].reduce(0) { $0 << 8 | Int($1) }
            guard (1...GreyPicture.longestSide).contains(width), (1...GreyPicture.longestSide).contains(height),
                let pixels = Self.read(width * height)
            else { throw BenchError("A frame has no pixels, too many, or fewer than it says.") }
            let picture = try GreyPicture(width: width, height: height, pixels: pixels)
            var text = "-"
            let time = ContinuousClock().measure {
                guard let code = try? QRCode.read(picture) else { return }
                text = code.bytes.map { String(format: "%02x", $0) }.joined()
            }
            let microseconds = time / .microseconds(1)
            FileHandle.standardOutput.write(Data("\(Int(microseconds)) \(text)\n".utf8))
        }
    }

    /// Nil when the input ends before `count` bytes.
    private static func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let part = FileHandle.standardInput.readData(ofLength: count - bytes.count)
            if part.isEmpty { return nil }
            bytes.append(contentsOf: part)
        }
        return bytes
    }
}
