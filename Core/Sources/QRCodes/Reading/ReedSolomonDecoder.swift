/// Puts wrong codewords right (ISO/IEC 18004 annex B): syndromes, Berlekamp-Massey, Chien's search, Forney's values.
struct ReedSolomonDecoder {
    /// Powers of 2 in the field, twice over, so that sums of two exponents need no remainder.
    private let powers: [UInt8]
    private let exponents: [Int]

    init() {
        var powers = [UInt8](repeating: 1, count: 510)
        var exponents = [Int](repeating: 0, count: 256)
        var value: UInt8 = 1
        for exponent in 0..<255 {
            powers[exponent] = value
            powers[exponent + 255] = value
            exponents[Int(value)] = exponent
            value = ReedSolomon.product(value, 2)
        }
        self.powers = powers
        self.exponents = exponents
    }

    /// The block without errors, and how many there were; nil when there are more than `most`.
    ///
    /// - Parameters:
    ///   - block: data and correction codewords, at most 255.
    ///   - correctionCount: how many of them are for correction.
    ///   - most: at most half of `correctionCount`; less leaves the rest for noticing that the block is something else.
    func corrected(_ block: [UInt8], correctionCount: Int, most: Int) -> (block: [UInt8], errorCount: Int)? {
        let syndromes = syndromes(block, correctionCount)
        if syndromes.allSatisfy({ $0 == 0 }) { return (block, 0) }
        let locator = locator(syndromes)
        let degree = locator.count - 1
        guard degree > 0, degree <= most, degree < block.count else { return nil }
        // The evaluator: syndromes times locator, as far as it counts.
        var evaluator = [UInt8](repeating: 0, count: degree)
        for index in 0..<degree {
            for part in 0...index { evaluator[index] ^= product(syndromes[index - part], locator[part]) }
        }
        var result = block
        var found = 0
        for position in block.indices {
            let exponent = block.count - 1 - position
            let inverse = (255 - exponent) % 255
            guard value(locator, inverse) == 0 else { continue }
            found += 1
            // The derivative has the odd coefficients only.
            var slope: UInt8 = 0
            for index in stride(from: 1, through: degree, by: 2) {
                slope ^= product(locator[index], powers[inverse * (index - 1) % 255])
            }
            guard slope != 0 else { return nil }
            let error = quotient(value(evaluator, inverse), slope)
            result[position] ^= product(error, powers[exponent])
        }
        guard found == degree, self.syndromes(result, correctionCount).allSatisfy({ $0 == 0 }) else { return nil }
        return (result, found)
    }

    /// The block's polynomial at the first powers of 2: all zero when nothing is wrong.
    private func syndromes(_ block: [UInt8], _ count: Int) -> [UInt8] {
        var syndromes = [UInt8](repeating: 0, count: count)
        for index in 0..<count {
            var sum: UInt8 = 0
            for byte in block { sum = (sum == 0 ? 0 : powers[exponents[Int(sum)] + index]) ^ byte }
            syndromes[index] = sum
        }
        return syndromes
    }

    /// The shortest recurrence that makes the syndromes, its constant 1 first: its zeros say where the errors are.
    private func locator(_ syndromes: [UInt8]) -> [UInt8] {
        let count = syndromes.count
        var current = [UInt8](repeating: 0, count: count + 1)
        current[0] = 1
        var previous = current
        var degree = 0
        var gap = 1
        var previousDiscrepancy: UInt8 = 1
        for index in 0..<count {
            var discrepancy = syndromes[index]
            if degree > 0 {
                for part in 1...degree { discrepancy ^= product(current[part], syndromes[index - part]) }
            }
            guard discrepancy != 0 else {
                gap += 1
                continue
            }
            let before = current
            let factor = quotient(discrepancy, previousDiscrepancy)
            for part in 0..<max(0, count + 1 - gap) { current[part + gap] ^= product(factor, previous[part]) }
            if 2 * degree <= index {
                degree = index + 1 - degree
                previous = before
                previousDiscrepancy = discrepancy
                gap = 1
            } else {
                gap += 1
            }
        }
        return Array(current[0...degree])
    }

    /// A polynomial, the constant first, at a power of 2.
    private func value(_ coefficients: [UInt8], _ exponent: Int) -> UInt8 {
        var sum: UInt8 = 0
        for coefficient in coefficients.reversed() {
            sum = (sum == 0 ? 0 : powers[exponents[Int(sum)] + exponent]) ^ coefficient
        }
        return sum
    }

    // Functions that are called from several places are not copied into each: the scanner's WebAssembly is small that way.
    @inline(never)
    private func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        left == 0 || right == 0 ? 0 : powers[exponents[Int(left)] + exponents[Int(right)]]
    }

    @inline(never)
    private func quotient(_ left: UInt8, _ right: UInt8) -> UInt8 {
        left == 0 ? 0 : powers[exponents[Int(left)] + 255 - exponents[Int(right)]]
    }
}
