import CodeScanner
import Documents
import Encodings
import QRCodes

extension FuzzTarget {
    static let pictures = [
        FuzzTarget("qr-picture", maximumLength: 4_300, qrPicture), FuzzTarget("png", maximumLength: 4_096, png),
        FuzzTarget("scanner-module", maximumLength: 8_192, scannerModule),
    ]

    /// The most bytes to unpack here, so that the fuzzer does not wait for large pictures.
    private static let mostUnpacked = 1 << 20

    /// A file, its checksums put right: the fuzzer would never hit them.
    private static func png(_ input: Bytes) throws(BrokenPromise) {
        var file = input
        var offset = 8
        while offset + 12 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= file.count - offset - 12 else { break }
            let end = offset + 12 + length
            let checksum = CRC32.of(file[offset + 4..<end - 4])
            for (index, shift) in [24, 16, 8, 0].enumerated() {
                file[end - 4 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(shift))
            }
            offset = end
        }
        let picture = try? GreyPicture(png: file) { stream, count in
            count > mostUnpacked ? nil : try? Zlib.decompress(stream, maximumLength: count)
        }
        guard let picture else { return }
        try expect(picture.width * picture.height <= 8 * mostUnpacked, "a picture has no more pixels than its data")
    }

    /// A frame gets a state for any bytes.
    private static func scannerModule(_ input: Bytes) throws(BrokenPromise) {
        let answer = CodeScanner.answer(input)
        guard let first = answer.first, let state = CodeScanner.State(rawValue: first) else {
            throw BrokenPromise(promise: "an answer begins with its state")
        }
        try expect(
            answer.count == 1 || state == .text || state == .bytes, "only a code that was read says something")
        try expect(state != .text || UTF8Text.isValid(Bytes(answer.dropFirst())), "a text is UTF-8")
    }

    /// Pixels a module: the fuzzer draws modules, because it would never draw a picture.
    private static let module = 3

    /// The modules in a row, then a bit for each module, the highest first; what is missing is light.
    private static func qrPicture(_ input: Bytes) throws(BrokenPromise) {
        guard let first = input.first, first > 0 else { return }
        let side = Int(first)
        var pixels = [UInt8](repeating: 240, count: side * module * side * module)
        for row in 0..<side * module {
            for column in 0..<side * module {
                let bit = row / module * side + column / module
                guard 1 + bit / 8 < input.count, input[1 + bit / 8] >> UInt8(7 - bit % 8) & 1 == 1 else { continue }
                pixels[row * side * module + column] = 20
            }
        }
        guard let picture = try? GreyPicture(width: side * module, height: side * module, pixels: pixels) else {
            throw BrokenPromise(promise: "a square is a picture")
        }
        guard let code = try? QRCode.read(picture) else { return }
        try expect((1...40).contains(code.version), "the version is one of forty")
        try expect(17 + 4 * code.version <= side, "the symbol is not larger than the picture")
        try expect(code.bytes.count <= 7_089, "no symbol holds more")
    }
}
