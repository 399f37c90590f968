extension Matrix {
    /// Applies a mask and draws the format bits for it: the given mask, or the one of the least penalty.
    func masked(with mask: Int?, _ level: QRCode.ErrorCorrection) -> (matrix: Matrix, mask: Int) {
        if let mask { return (masked(mask, level), mask) }
        var best = (matrix: masked(0, level), mask: 0)
        var least = best.matrix.penalty
        for mask in 1..<8 {
            let candidate = masked(mask, level)
            let penalty = candidate.penalty
            if penalty < least {
                least = penalty
                best = (candidate, mask)
            }
        }
        return best
    }

    private func masked(_ mask: Int, _ level: QRCode.ErrorCorrection) -> Matrix {
        var matrix = self
        matrix.apply(mask: mask)
        matrix.drawFormat(InformationBits.format(level, mask: mask))
        return matrix
    }

    /// How hard the symbol is to read (ISO/IEC 18004 section 7.8.3).
    var penalty: Int {
        var score = 0
        for line in 0..<size {
            score += linePenalty(from: line * size, by: 1)
            score += linePenalty(from: line, by: size)
        }
        return score + squarePenalty + balancePenalty
    }

    /// Runs of five and more of one colour; patterns that look like a finder, with four light modules at one side.
    private func linePenalty(from start: Int, by step: Int) -> Int {
        var score = 0
        var run = 0
        var previous = false
        var window = 0
        for index in 0..<size {
            let isDark = modules[start + index * step]
            run = index > 0 && isDark == previous ? run + 1 : 1
            previous = isDark
            if run == 5 { score += 3 } else if run > 5 { score += 1 }
            window = (window << 1 | (isDark ? 1 : 0)) & 0x7FF
            if index >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { score += 40 }
        }
        return score
    }

    /// Squares of two by two of one colour, overlapping ones too.
    private var squarePenalty: Int {
        var count = 0
        for row in 0..<size - 1 {
            for index in row * size..<row * size + size - 1 {
                let isDark = modules[index]
                if isDark == modules[index + 1], isDark == modules[index + size], isDark == modules[index + size + 1] {
                    count += 1
                }
            }
        }
        return 3 * count
    }

    /// Ten for every full five per cent by which the dark modules miss half of the symbol.
    private var balancePenalty: Int {
        let dark = modules.reduce(0) { $0 + ($1 ? 1 : 0) }
        return 10 * (abs(20 * dark - 10 * modules.count) / modules.count)
    }
}
