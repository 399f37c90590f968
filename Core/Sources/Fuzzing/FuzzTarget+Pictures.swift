import Encodings
import QRCodes

extension FuzzTarget {
    static let pictures = [FuzzTarget("qr-picture", maximumLength: 4_300, qrPicture)]

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
