@testable import QRCodes

/// Reads an undamaged symbol: the way back, written for the tests from the standard.
struct SymbolReader {
    struct Unreadable: Error {}

    let level: QRCode.ErrorCorrection
    let mask: Int
    /// Blocks of data and correction codewords.
    let blocks: [[UInt8]]
    let text: [UInt8]

    init(_ code: QRCode) throws {
        let version = Version(number: (code.size - 17) / 4)
        // Exactly one of all 32 possible format bits must be in both places.
        let formats = Self.formats(code)
        guard formats.first == formats.last, let format = formats.first else { throw Unreadable() }
        let candidates = QRCode.ErrorCorrection.allCases.flatMap { level in (0..<8).map { (level, $0) } }
        guard let found = candidates.first(where: { InformationBits.format($0.0, mask: $0.1) == format }) else {
            throw Unreadable()
        }
        (level, mask) = found
        let codewords = Self.codewords(code, version, mask)
        let layout = BlockLayout(version, level)
        blocks = Self.blocks(codewords, layout)
        let data = blocks.flatMap { $0.dropLast(layout.correctionCount) }
        text = try Self.text(data, version)
    }

    private static func formats(_ code: QRCode) -> [Int] {
        let last = code.size - 1
        let around = (0..<6).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (0..<6).map { (5 - $0, 8) }
        let apart = (0..<7).map { (last - $0, 8) } + (0..<8).map { (8, last - 7 + $0) }
        return [around, apart].map { places in places.reduce(0) { $0 << 1 | (code[$1.0, $1.1] ? 1 : 0) } }
    }

    private static func codewords(_ code: QRCode, _ version: Version, _ mask: Int) -> [UInt8] {
        var blank = Matrix(version)
        let isFunction = blank.isFunction
        blank.apply(mask: mask)
        let plain = Matrix(version)
        var bits: [UInt8] = []
        var columns = stride(from: code.size - 1, to: 6, by: -2).map { $0 } + [5, 3, 1]
        var rows = Array((0..<code.size).reversed())
        while let right = columns.first {
            columns.removeFirst()
            for row in rows {
                for column in [right, right - 1] where !isFunction[row * code.size + column] {
                    let isInverted = blank[row, column] != plain[row, column]
                    bits.append(code[row, column] != isInverted ? 1 : 0)
                }
            }
            rows.reverse()
        }
        return (0..<bits.count / 8).map { index in bits[8 * index..<8 * index + 8].reduce(0) { $0 << 1 | $1 } }
    }

    private static func blocks(_ codewords: [UInt8], _ layout: BlockLayout) -> [[UInt8]] {
        let short = layout.dataCount / layout.blockCount
        let longCount = layout.dataCount % layout.blockCount
        var blocks = [[UInt8]](repeating: [], count: layout.blockCount)
        var rest = codewords[...]
        for _ in 0..<short { for block in blocks.indices { blocks[block].append(rest.removeFirst()) } }
        for block in blocks.indices.suffix(longCount) { blocks[block].append(rest.removeFirst()) }
        for _ in 0..<layout.correctionCount {
            for block in blocks.indices { blocks[block].append(rest.removeFirst()) }
        }
        return blocks
    }

    private static func text(_ data: [UInt8], _ version: Version) throws -> [UInt8] {
        var position = 0
        func read(_ count: Int) -> Int {
            defer { position += count }
            return (position..<position + count).reduce(0) { $0 << 1 | Int(data[$1 / 8] >> UInt8(7 - $1 % 8) & 1) }
        }
        switch read(4) {
        case 0b0100:
            let count = read(version.number < 10 ? 8 : 16)
            return (0..<count).map { _ in UInt8(read(8)) }
        case 0b0010:
            let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
            let count = read(version.number < 10 ? 9 : version.number < 27 ? 11 : 13)
            var text: [UInt8] = []
            while text.count + 2 <= count {
                let pair = read(11)
                text += [characters[pair / 45], characters[pair % 45]]
            }
            if text.count < count { text.append(characters[read(6)]) }
            return text
        default: throw Unreadable()
        }
    }
}
