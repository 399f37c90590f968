/// Arithmetic in GF(256) with the polynomial of AES, without tables: no step depends on a value.
enum FieldOf256 {
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var sum: UInt8 = 0
        var factor = left
        for bit in 0..<8 {
            sum ^= factor & (0 &- (right >> UInt8(bit) & 1))
            factor = (factor << 1) ^ (0x1B & (0 &- (factor >> 7)))
        }
        return sum
    }

    /// The power with 254; zero for zero.
    static func inverse(_ value: UInt8) -> UInt8 {
        var square = value
        var result: UInt8 = 1
        for _ in 0..<7 {
            square = product(square, square)
            result = product(result, square)
        }
        return result
    }
}
