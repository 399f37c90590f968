/// Reed-Solomon codes over the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004 section 7.5.2, annex A).
enum ReedSolomon {
    /// The product of two elements of the field.
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        var factor = left
        var multiple = right
        while factor != 0 {
            result ^= (factor & 1) &* multiple
            multiple = multiple << 1 ^ (multiple >> 7) &* 0x1D
            factor >>= 1
        }
        return result
    }

    /// The coefficients of (x - 1)(x - 2)(x - 2²)… without the leading one, the highest power first.
    static func generator(degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree)
        coefficients[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    /// The correction codewords: the remainder of the data, shifted, by the generator.
    static func remainder(_ data: [UInt8], _ generator: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder[0]
            for index in 0..<generator.count {
                let next = index + 1 < generator.count ? remainder[index + 1] : 0
                remainder[index] = next ^ product(generator[index], factor)
            }
        }
        return remainder
    }
}
