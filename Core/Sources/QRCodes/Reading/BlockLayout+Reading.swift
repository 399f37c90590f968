extension BlockLayout {
    /// The data codewords out of what `interleaved` made of them, errors put right; nil when a block has too many.
    func data(_ codewords: [UInt8], _ decoder: ReedSolomonDecoder, reserve: Int) -> (data: [UInt8], errorCount: Int)? {
        guard codewords.count >= codewordCount else { return nil }
        let short = dataCount / blockCount
        let longFrom = blockCount - dataCount % blockCount
        var data: [UInt8] = []
        data.reserveCapacity(dataCount)
        var errorCount = 0
        for block in 0..<blockCount {
            var bytes: [UInt8] = []
            for index in 0..<short { bytes.append(codewords[index * blockCount + block]) }
            if block >= longFrom { bytes.append(codewords[short * blockCount + block - longFrom]) }
            for index in 0..<correctionCount { bytes.append(codewords[dataCount + index * blockCount + block]) }
            let most = (correctionCount - reserve) / 2
            guard let right = decoder.corrected(bytes, correctionCount: correctionCount, most: most) else { return nil }
            errorCount += right.errorCount
            data.append(contentsOf: right.block.dropLast(correctionCount))
        }
        return (data, errorCount)
    }

    /// Correction codewords that the standard keeps from correcting in the smallest symbols, so that one symbol is not
    /// taken for another (table 9, note).
    static func reserve(_ version: Version, _ level: QRCode.ErrorCorrection) -> Int {
        switch (version.number, level) {
        case (1, .low): 3
        case (1, .medium), (2, .low): 2
        case (1, _), (3, .low): 1
        default: 0
        }
    }
}
