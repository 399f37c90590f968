import Encodings

/// What nobody should write: memcheck has to report both, or it would not report a leak in the curves either.
enum Control {
    /// Selects by a jump.
    @inline(never)
    static func leakyJump(_ secret: Bytes) -> Int {
        var sum = 1
        for byte in secret {
            if byte & 1 == 1 { sum = step(sum) }
        }
        return sum
    }

    /// Selects by an address.
    @inline(never)
    static func leakyAddress(_ secret: Bytes, of table: [Int]) -> Int {
        var sum = 0
        // Bounds would be checked by a jump, and there shall be none.
        unsafe table.withUnsafeBufferPointer { entries in
            for byte in secret { unsafe sum &+= entries[unchecked: Int(byte & 7)] }
        }
        return sum
    }

    /// A call cannot be made without a jump.
    @inline(never)
    @_optimize(none)
    private static func step(_ value: Int) -> Int { value &* 31 &+ 7 }
}

extension UnsafeBufferPointer {
    fileprivate subscript(unchecked index: Int) -> Element {
        // The release build has no check here.
        unsafe baseAddress.unsafelyUnwrapped[index]
    }
}
