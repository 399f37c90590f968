/// A sequence of octets: the currency of `Core`.
///
/// Signed text is compared and hashed as bytes, never as `String`.
public typealias Bytes = [UInt8]

extension Array where Element == UInt8 {
    /// The UTF-8 bytes of `text`.
    public init(text: String) {
        #if arch(wasm32)
            // Strings are UTF-8 there; the general way would bring the code for all others into the page.
            self = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe Bytes($0) } ?? []
        #else
            self = Array(text.utf8)
        #endif
    }

    /// Whether these bytes are exactly the UTF-8 bytes of `text`.
    ///
    /// Not constant time: for public values only.
    public func equals(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { literal in
            guard literal.count == count else { return false }
            for index in 0..<count where unsafe literal[index] != self[index] { return false }
            return true
        }
    }

    /// Whether these bytes are exactly the UTF-8 bytes of `text`.
    ///
    /// Not constant time: for public values only.
    public func equals(text: String) -> Bool {
        self == Bytes(text: text)
    }

    /// Whether both arrays hold the same bytes, compared eight at a time: for files of megabytes.
    ///
    /// Not constant time: for public values only.
    public func hasSameBytes(as other: Bytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                var index = 0
                while index + 8 <= left.count {
                    let a = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    let b = unsafe right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    guard a == b else { return false }
                    index += 8
                }
                while index < left.count {
                    guard unsafe left[index] == right[index] else { return false }
                    index += 1
                }
                return true
            }
        }
    }

    /// Compares with another array in time that depends on the lengths only.
    ///
    /// Use it for every secret: tokens, codes, authentication tags.
    public func equalsInConstantTime(_ other: Bytes) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<count { difference |= self[index] ^ other[index] }
        return difference == 0
    }

    /// Whether these bytes sort before `other`, octet by octet, a prefix first.
    public func precedes(_ other: Bytes) -> Bool {
        let shared = Swift.min(count, other.count)
        for index in 0..<shared where self[index] != other[index] { return self[index] < other[index] }
        return count < other.count
    }

    /// Splits at every `separator`; neighbouring separators give empty parts, as do leading and trailing ones.
    public func split(at separator: UInt8) -> [Bytes] {
        // One pass without bounds checks finds the separators; texts of many kilobytes are split at a few places.
        var ends = unsafe withUnsafeBufferPointer { buffer in
            var ends: [Int] = []
            for index in 0..<buffer.count where unsafe buffer[index] == separator { ends.append(index) }
            return ends
        }
        ends.append(count)
        var parts: [Bytes] = []
        parts.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            parts.append(Array(self[start..<end]))
            start = end + 1
        }
        return parts
    }

    /// Splits at every `separator` a text that has at most `maximum` parts, or `nil` when it has more.
    ///
    /// It is told before anything is made of them: each part, even an empty one, takes more memory than its separator.
    public func split(at separator: UInt8, maximum: Int) -> [Bytes]? {
        let count = unsafe withUnsafeBufferPointer { buffer in
            var count = 1
            for index in 0..<buffer.count where unsafe buffer[index] == separator { count += 1 }
            return count
        }
        return count <= maximum ? split(at: separator) : nil
    }

    /// Without spaces, tabs and line ends at both ends, as they come with copying.
    public func trimmingSpace() -> Bytes {
        var start = 0
        var end = count
        while start < end, Self.isSpace(self[start]) { start += 1 }
        while end > start, Self.isSpace(self[end - 1]) { end -= 1 }
        return Array(self[start..<end])
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}

/// The unsigned big-endian bytes of `value`, always eight.
public func bigEndianBytes(_ value: UInt64) -> Bytes {
    var bytes = Bytes(repeating: 0, count: 8)
    for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * index)) }
    return bytes
}

/// Parses an unsigned decimal number without sign, leading zero or other decoration.
///
/// - Returns: `nil` when the text is empty, has another character or does not fit 64 bits.
public func parseDecimal(_ text: Bytes) -> UInt64? {
    guard !text.isEmpty, text.count <= 20, text.count == 1 || text[0] != 0x30 else { return nil }
    var value: UInt64 = 0
    for digit in text {
        guard digit >= 0x30, digit <= 0x39 else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit - 0x30))
        guard !overflow, !carry else { return nil }
        value = sum
    }
    return value
}

/// The decimal digits of `value`, without leading zeros.
public func decimalBytes(_ value: UInt64) -> Bytes {
    var digits: Bytes = []
    var rest = value
    repeat {
        digits.append(0x30 + UInt8(rest % 10))
        rest /= 10
    } while rest > 0
    return digits.reversed()
}
