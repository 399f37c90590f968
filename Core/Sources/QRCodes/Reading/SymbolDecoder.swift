/// From the modules of a symbol to what it says.
struct SymbolDecoder {
    private let decoder = ReedSolomonDecoder()
    private let version: Version
    private let isFunction: [Bool]

    init(_ version: Version) {
        self.version = version
        isFunction = Matrix(version).isFunction
    }

    /// The result of an attempt: the content, or how far it went.
    enum Outcome {
        case read(ScannedCode)
        /// Every block was put right, so it is the symbol; its content is an error.
        case refused(QRReadingError)
        case damaged

        var isDamaged: Bool {
            if case .damaged = self { true } else { false }
        }
    }

    /// Tries the modules as they are and as seen in a mirror, beginning with what the format bits speak for.
    func decode(_ modules: SampledModules) -> Outcome {
        let mirrored = modules.transposed
        var formats: [InformationBits.Format] = []
        InformationBits.add(modules, isMirrored: false, to: &formats)
        InformationBits.add(mirrored, isMirrored: true, to: &formats)
        for format in formats {
            let layout = BlockLayout(version, format.level)
            let codewords = codewords(format.isMirrored ? mirrored : modules, format.mask)
            let reserve = BlockLayout.reserve(version, format.level)
            guard let found = layout.data(codewords, decoder, reserve: reserve) else { continue }
            do throws(QRReadingError) {
                return .read(
                    ScannedCode(
                        parts: try SymbolContent.parts(found.data, version), version: version.number,
                        errorCorrection: format.level, mask: format.mask, isMirrored: format.isMirrored,
                        errorCount: found.errorCount))
            } catch {
                return .refused(error)
            }
        }
        return .damaged
    }

    /// The way back of `Matrix.place` and `Matrix.apply`.
    private func codewords(_ modules: SampledModules, _ mask: Int) -> [UInt8] {
        let size = modules.size
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
