import Encodings

/// Decimal text as whole numbers, exactly: no floating point comes between a file and a capture.
enum FixedPoint {
    private static let longestText = 64

    /// The number times 10 to the power `places`, rounded to the nearest, of two the larger in size.
    ///
    /// - Returns: `nil` for all but digits, with a sign, a point between digits and a power of ten where wanted, and for
    ///   what does not fit.
    static func parse(_ text: Bytes, places: Int) -> Int64? {
        guard text.count <= longestText else { return nil }
        let isNegative = text.first == 0x2D
        var position = isNegative ? 1 : 0
        var digits: Bytes = []
        var point: Int?
        while position < text.count, text[position] | 0x20 != 0x65 {
            switch text[position] {
            case 0x30...0x39: digits.append(text[position] - 0x30)
            case 0x2E where point == nil && !digits.isEmpty: point = digits.count
            default: return nil
            }
            position += 1
        }
        guard !digits.isEmpty, point != digits.count else { return nil }
        var exponent = 0
        if position < text.count {
            guard let power = Self.power(Array(text[(position + 1)...])) else { return nil }
            exponent = power
        }
        return value(digits, count: (point ?? digits.count) + exponent + places).map { isNegative ? -$0 : $0 }
    }

    /// The power of ten behind the letter e.
    private static func power(_ text: Bytes) -> Int? {
        let hasSign = text.first == 0x2D || text.first == 0x2B
        let digits = hasSign ? Array(text.dropFirst()) : text
        guard (1...3).contains(digits.count) else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return text[0] == 0x2D ? -value : value
    }

    /// The first `count` of the digits as a number, rounded by the next; zeros follow the last.
    private static func value(_ digits: Bytes, count: Int) -> Int64? {
        guard count >= 0 else { return 0 }
        var value: Int64 = 0
        for index in 0..<count {
            // Zeros stay zero however many follow.
            if index >= digits.count, value == 0 { return 0 }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(index < digits.count ? Int64(digits[index]) : 0)
            guard !overflow, !carry, sum < .max else { return nil }
            value = sum
        }
        return count < digits.count && digits[count] >= 5 ? value + 1 : value
    }
}
