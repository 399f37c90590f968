public import Encodings

/// Which PINs a vault takes.
///
/// The guard gives ten guesses. So those that people choose most often are refused.
public enum PINRules {
    /// How many digits a PIN has.
    public static let length = 6...16

    /// Why a PIN is not taken.
    public enum Refusal: Sendable, Equatable {
        /// Something other than the digits 0 to 9 is in it.
        case notDigits
        /// Fewer than six digits.
        case tooShort
        /// More than 16 digits.
        case tooLong
        /// Among the first that anybody would try.
        case tooCommon
    }

    /// Why a PIN is not taken; `nil` if it is.
    ///
    /// - Parameter pin: ASCII digits.
    public static func refusal(of pin: Bytes) -> Refusal? {
        guard pin.allSatisfy({ 0x30...0x39 ~= $0 }) else { return .notDigits }
        guard pin.count >= length.lowerBound else { return .tooShort }
        guard pin.count <= length.upperBound else { return .tooLong }
        let digits = pin.map { Int($0) - 0x30 }
        let isCommon =
            isRepeated(digits) || isSteady(digits) || isMirroredSteps(digits) || common.contains { pin.equals($0) }
        return isCommon ? .tooCommon : nil
    }

    /// One to three digits again and again, such as 111111, 121212 and 123123; and four or more once again.
    private static func isRepeated(_ digits: [Int]) -> Bool {
        for period in 1...digits.count / 2 where period <= 3 || 2 * period == digits.count {
            if digits.indices.allSatisfy({ digits[$0] == digits[$0 % period] }) { return true }
        }
        // Pairs, such as 112233 and 998877.
        let pairs = stride(from: 0, to: digits.count - 1, by: 2)
        guard digits.count % 2 == 0, pairs.allSatisfy({ digits[$0] == digits[$0 + 1] }) else { return false }
        return isSteady(pairs.map { digits[$0] })
    }

    /// The same step from digit to digit, also over 9 and 0, such as 234567, 890123 and 135791.
    private static func isSteady(_ digits: [Int]) -> Bool {
        let steps = digits.indices.dropFirst().map { (digits[$0] - digits[$0 - 1] + 10) % 10 }
        return steps.allSatisfy { $0 == steps[0] }
    }

    /// Steady to the middle and then back, such as 123321; or steady in each half, such as 123456 in 111222.
    private static func isMirroredSteps(_ digits: [Int]) -> Bool {
        guard digits.count % 2 == 0 else { return false }
        let half = digits.count / 2
        let halves = [Array(digits[..<half]), Array(digits[half...])]
        return halves.allSatisfy(isSteady)
    }

    /// What remains of the lists of leaked PINs.
    private static let common: [StaticString] = [
        "159753", "159357", "357159", "753159", "951753", "147258", "258147", "147852", "258369", "369258", "852456",
        "789456", "456852", "142536", "415263", "102030", "010203", "112358", "314159", "271828", "131419", "520131",
        "5201314", "1314520", "141421", "696969", "007007", "420420", "246810", "135790", "124578", "235689", "145236",
        "123654", "321456", "987456", "654987", "123789", "789123", "147896", "321654", "951357", "112211", "110110",
        "100200", "200000", "100000", "000001", "121314", "101112", "010101", "199000", "198000", "199900", "200001",
        "123457", "123450", "012340", "1234567890", "0987654321", "147258369", "123456780", "741852963", "963852741",
        "1029384756", "11223344", "12344321", "12341234", "10203040", "01020304", "19191919", "20202020",
    ]
}
