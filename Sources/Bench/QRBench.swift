import ArgumentParser
import Foundation
import QRCodes

/// `countersign-bench qr`: reads the frames that `Benchmarks/qr_pictures.py` sends, one after the other.
struct QRBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Read QR codes in grey frames from standard input, a line for each.",
        discussion: """
            A frame is its width and its height, four bytes each with the highest first, and its grey pixels. The answer \
            is the microseconds of processor time that reading took, then the text in hexadecimal, or - when there is \
            none. Wait for the answer before you send the next frame.
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
            let start = Self.processorTime
            let code = try? QRCode.read(picture, effort: .frame)
            let microseconds = Self.processorTime - start
            if let code { text = code.bytes.map { String(format: "%02x", $0) }.joined() }
            FileHandle.standardOutput.write(Data("\(microseconds) \(text)\n".utf8))
        }
    }

    /// Processor time of this program, in microseconds: other work on the machine hardly changes it.
    private static var processorTime: Int { Int(clock()) }

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
