/// From the modules of a symbol to what it says.
struct SymbolDecoder {
    private let decoder = ReedSolomonDecoder()

    /// What came of a try: the content, or how far it went.
    enum Outcome {
        case read(ScannedCode)
        /// Every block was put right, so it is the symbol; its content is an error.
        case refused(QRReadingError)
        case damaged
    }

    /// Tries the modules as they are, and as seen in a mirror.
    func decode(_ modules: SampledModules) -> Outcome {
        switch decode(modules, isMirrored: false) {
        case .damaged: decode(modules.transposed, isMirrored: true)
        case let outcome: outcome
        }
    }

    private func decode(_ modules: SampledModules, isMirrored: Bool) -> Outcome {
        let version = modules.version
        for format in InformationBits.formats(modules).prefix(3) {
            let layout = BlockLayout(version, format.level)
            let codewords = Self.codewords(modules, format.mask)
            let reserve = BlockLayout.reserve(version, format.level)
            guard let found = layout.data(codewords, decoder, reserve: reserve) else { continue }
            do throws(QRReadingError) {
                return .read(
                    ScannedCode(
                        parts: try SymbolContent.parts(found.data, version), version: version.number,
                        errorCorrection: format.level, mask: format.mask, isMirrored: isMirrored,
                        errorCount: found.errorCount))
            } catch {
                return .refused(error)
            }
        }
        return .damaged
    }

    /// The way back of `Matrix.place` and `Matrix.apply`.
    private static func codewords(_ modules: SampledModules, _ mask: Int) -> [UInt8] {
        let size = modules.size
        let isFunction = Matrix(modules.version).isFunction
        var codewords = [UInt8](repeating: 0, count: modules.version.codewordCount)
        var bit = 0
        var isUpward = true
        var right = size - 1
        while right > 0 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in stride(from: right, through: right - 1, by: -1) where !isFunction[row * size + column] {
                    guard bit < codewords.count * 8 else { return codewords }
                    if modules[row, column] != Matrix.inverts(mask, row, column) {
                        codewords[bit / 8] |= 0x80 >> UInt8(bit % 8)
                    }
                    bit += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
        return codewords
    }
}
