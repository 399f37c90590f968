import Testing

@testable import QRCodes

@Suite("Codes in pictures")
struct ReadingTests {
    private let text = Array("https://example.org/s#kQ2-7c9_verify-this".utf8)

    @Test("Every version and level is read, with every mask", arguments: 1...40)
    func allVersions(version: Int) throws {
        for (index, level) in QRCode.ErrorCorrection.allCases.enumerated() {
            let layout = BlockLayout(Version(number: version), level)
            let text = Fixture.filling(.byte, version: version, count: layout.dataCount - 3)
            let mask = (version + 2 * index) % 8
            let code = try QRCode(encoding: text, errorCorrection: level, minimumVersion: version, mask: mask)
            let side = 3 * (code.size + 8)
            let picture = try PictureMaker(width: side, height: side, module: 3).picture(code)
            let read = try QRCode.read(picture)
            #expect(read.bytes == text, "version \(version), \(level)")
            #expect(read.version == version)
            #expect(read.errorCorrection == level)
            #expect(read.mask == mask)
            #expect(!read.isMirrored)
            #expect(read.parts.map(\.characterSet) == [.unsaid])
        }
    }

    @Test("A code is read at every angle", arguments: Array(stride(from: Float(0), to: 360, by: 15)))
    func turned(angle: Float) throws {
        let code = try QRCode(encoding: text)
        #expect(try QRCode.read(PictureMaker(angle: angle).picture(code)).bytes == text)
        let large = try QRCode(encoding: text, errorCorrection: .high, minimumVersion: 14, mask: 3)
        #expect(try QRCode.read(PictureMaker(module: 4.2, angle: angle).picture(large)).bytes == text)
    }

    @Test("A mirrored code is read, and says that it is mirrored", arguments: [Float(0), 33, 180])
    func mirrored(angle: Float) throws {
        let picture = try PictureMaker(angle: angle, isMirrored: true).picture(QRCode(encoding: text))
        let read = try QRCode.read(picture)
        #expect(read.bytes == text)
        #expect(read.isMirrored)
    }

    @Test("A code seen from the side is read", arguments: [Float(-0.5), -0.25, 0.25, 0.5])
    func slanted(slant: Float) throws {
        for version in [1, 4, 9, 16] {
            let text = Array(text.prefix(version == 1 ? 10 : 40))
            let code = try QRCode(encoding: text, errorCorrection: .medium, minimumVersion: version, mask: nil)
            let maker = PictureMaker(module: version == 16 ? 3.5 : 5, angle: 10, slant: slant)
            let read = try? QRCode.read(maker.picture(code))
            #expect(read?.bytes == text, "version \(version)")
        }
    }

    @Test("A code on a bent page is read", arguments: [Float(-1), 1])
    func bent(direction: Float) throws {
        for (version, bend): (Int, Float) in [(3, 0.04), (10, 0.025), (15, 0.02)] {
            let code = try QRCode(encoding: text, errorCorrection: .medium, minimumVersion: version, mask: nil)
            let maker = PictureMaker(module: version == 15 ? 4.5 : 6, angle: 10, bend: direction * bend)
            let read = try? QRCode.read(maker.picture(code))
            #expect(read?.bytes == text, "version \(version)")
        }
    }

    @Test("Poor light does not hide a code: dark, pale, uneven and with noise")
    func poorLight() throws {
        let code = try QRCode(encoding: text)
        let makers = [
            PictureMaker(ink: 4, paper: 22), PictureMaker(ink: 180, paper: 205), PictureMaker(angle: 8, light: 0.12),
            PictureMaker(noise: 70), PictureMaker(angle: 40, ink: 10, paper: 60, light: 0.4, noise: 6),
        ]
        for maker in makers {
            let read = try? QRCode.read(maker.picture(code))
            #expect(read?.bytes == text, "\(maker)")
        }
    }

    @Test("A code is read from pixels of 1.6 a module to 40 a module")
    func sizes() throws {
        let code = try QRCode(encoding: Array("HELLO".utf8))
        for module: Float in [1.6, 2, 3, 10, 20, 40] {
            let side = Int(module * Float(code.size + 8))
            let picture = try PictureMaker(width: side, height: side, module: module).picture(code)
            #expect(try QRCode.read(picture).bytes == Array("HELLO".utf8), "\(module)")
        }
    }

    @Test("A stain is corrected, and a larger one is damage")
    func stains() throws {
        let code = try QRCode(encoding: text, errorCorrection: .high)
        func stained(_ side: Int) throws -> GreyPicture {
            let clean = try PictureMaker().picture(code)
            var pixels = clean.pixels
            for row in 200..<200 + side { for column in 270..<270 + side { pixels[row * 640 + column] = 30 } }
            return try GreyPicture(width: 640, height: 480, pixels: pixels)
        }
        let read = try QRCode.read(stained(40))
        #expect(read.bytes == text)
        #expect(read.errorCount > 0)
        #expect(throws: QRReadingError.damaged) { try QRCode.read(stained(150)) }
    }

    @Test("A frame gets so much effort and no more; what is in doubt needs the effort for a picture that stays")
    func effort() throws {
        let picture = try PictureMaker(angle: 20).picture(QRCode(encoding: text))
        #expect(try QRCode.read(picture, effort: .frame).bytes == text)
        let frame = ReadingEffort.frame
        let efforts = [
            ReadingEffort(looks: 1, triples: 8, symbols: 2, leastTiming: 0.1),
            ReadingEffort(looks: frame.looks, triples: 0, symbols: 2, leastTiming: 0.1),
            ReadingEffort(looks: frame.looks, triples: 8, symbols: 2, leastTiming: 1),
        ]
        for effort in efforts {
            #expect(throws: QRReadingError.notFound) { try QRCode.read(picture, effort: effort) }
        }
        let thorough = ReadingEffort.thorough
        #expect(thorough.looks > frame.looks && thorough.triples > frame.triples)
        #expect(thorough.symbols > frame.symbols && thorough.leastTiming < frame.leastTiming)
    }

    @Test("A picture must have the pixels that it says")
    func badPictures() {
        let cases: [(Int, Int, Int)] = [
            (0, 0, 0), (0, 5, 0), (-1, -1, 1), (2, 2, 3), (2, 2, 5), (16_385, 1, 16_385), (.max, .max, 1), (.min, 2, 0),
            (16_384, 16_384, 4), (3, .max, 3),
        ]
        for (width, height, count) in cases {
            #expect(throws: QRReadingError.badPicture) {
                try GreyPicture(width: width, height: height, pixels: [UInt8](repeating: 0, count: count))
            }
        }
    }

    @Test("Pictures without a code are refused, however small or wild", arguments: 0..<40)
    func noCode(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let width = seed < 20 ? seed + 1 : Int.random(in: 1...300, using: &random)
        let height = seed < 20 ? 21 - seed : Int.random(in: 1...300, using: &random)
        // Noise, stripes, a chess board, and blocks of noise that look most like modules.
        for kind in 0..<5 {
            var pixels: [UInt8] = []
            for row in 0..<height {
                for column in 0..<width {
                    let pixel: UInt8 =
                        switch kind {
                        case 0: UInt8.random(in: 0...255, using: &random)
                        case 1: column / 3 % 2 == 0 ? 0 : 255
                        case 2: (column / 4 + row / 4) % 2 == 0 ? 10 : 240
                        case 3: UInt8(seed * 6)
                        default: (column / 5 &* 7919 ^ row / 5 &* 104_729 ^ seed) % 3 == 0 ? 20 : 220
                        }
                    pixels.append(pixel)
                }
            }
            let picture = try GreyPicture(width: width, height: height, pixels: pixels)
            #expect(throws: QRReadingError.self) { try QRCode.read(picture) }
        }
    }

    @Test("Finder patterns around nonsense are damage or nothing, at every distance", arguments: 0..<30)
    func nonsense(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let code = try QRCode(encoding: text, errorCorrection: .low, minimumVersion: 1 + seed, mask: 0)
        let module = 2 + seed % 3
        let side = module * (code.size + 8)
        let clean = try PictureMaker(width: side, height: side, module: Float(module)).picture(code)
        var pixels = clean.pixels
        let margin = 13 * module
        for row in 0..<side {
            for column in 0..<side
            where !((row < margin || row > side - margin) && (column < margin || column > side - margin)) {
                pixels[row * side + column] = UInt8.random(in: 0...255, using: &random)
            }
        }
        let picture = try GreyPicture(width: side, height: side, pixels: pixels)
        #expect(throws: QRReadingError.self) { try QRCode.read(picture) }
        // Cut anywhere, it must still not trap.
        let cut = Int.random(in: 1...side, using: &random)
        let part = try GreyPicture(width: side, height: cut, pixels: Array(clean.pixels.prefix(side * cut)))
        _ = try? QRCode.read(part)
    }
}
