/// How the codewords of a symbol are cut into blocks (ISO/IEC 18004 table 9).
///
/// Shorter blocks come first; each longer block has one data codeword more; all have as many correction codewords.
struct BlockLayout {
    let codewordCount: Int
    let blockCount: Int
    /// Correction codewords of each block.
    let correctionCount: Int

    /// Data codewords of the whole symbol.
    var dataCount: Int { codewordCount - blockCount * correctionCount }

    init(_ version: Version, _ level: QRCode.ErrorCorrection) {
        codewordCount = version.codewordCount
        let index = version.number - 1
        switch level {
        case .low: (correctionCount, blockCount) = (Self.lowCorrection[index], Self.lowBlocks[index])
        case .medium: (correctionCount, blockCount) = (Self.mediumCorrection[index], Self.mediumBlocks[index])
        case .quartile: (correctionCount, blockCount) = (Self.quartileCorrection[index], Self.quartileBlocks[index])
        case .high: (correctionCount, blockCount) = (Self.highCorrection[index], Self.highBlocks[index])
        }
    }

    /// The data codewords of each block, in order.
    func blocks(_ data: [UInt8]) -> [[UInt8]] {
        let short = dataCount / blockCount
        let longCount = dataCount % blockCount
        var blocks: [[UInt8]] = []
        var start = 0
        for block in 0..<blockCount {
            let end = start + short + (block < blockCount - longCount ? 0 : 1)
            blocks.append(Array(data[start..<end]))
            start = end
        }
        return blocks
    }

    /// Data and correction codewords in the order in which they are placed: the first of each block, the second of each
    /// block and so on (section 7.6).
    func interleaved(_ data: [UInt8]) -> [UInt8] {
        let blocks = blocks(data)
        let generator = ReedSolomon.generator(degree: correctionCount)
        let corrections = blocks.map { ReedSolomon.remainder($0, generator) }
        var result: [UInt8] = []
        result.reserveCapacity(codewordCount)
        for index in 0..<(dataCount + blockCount - 1) / blockCount {
            for block in blocks where index < block.count { result.append(block[index]) }
        }
        for index in 0..<correctionCount {
            for correction in corrections { result.append(correction[index]) }
        }
        return result
    }

    private static let lowCorrection: [Int] = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
        28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let lowBlocks: [Int] = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
        8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ]
    private static let mediumCorrection: [Int] = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
        26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let mediumBlocks: [Int] = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
        17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]
    private static let quartileCorrection: [Int] = [
        13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
        28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let quartileBlocks: [Int] = [
        1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
        23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ]
    private static let highCorrection: [Int] = [
        17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
        30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let highBlocks: [Int] = [
        1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
        25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ]
}
