import Encodings
import Testing

@testable import Vault

@Suite struct PINRulesTests {
    @Test(arguments: ["583920", "740163", "902754", "4829105738", "0000000000000001", "193746"])
    func ordinaryPINsAreTaken(_ pin: String) { #expect(PINRules.refusal(of: .text(pin)) == nil) }

    @Test(arguments: [
        "000000", "111111", "999999", "123456", "654321", "012345", "098765", "890123", "121212", "123123", "112233",
        "998877", "111222", "123321", "135791", "159753", "147258", "101010", "12345678", "00000000", "5201314",
        "1234567890", "11223344", "74017401", "58395839",
    ]) func commonPINsAreNot(_ pin: String) { #expect(PINRules.refusal(of: .text(pin)) == .tooCommon) }

    @Test func lengthAndDigitsCount() {
        #expect(PINRules.refusal(of: []) == .tooShort)
        #expect(PINRules.refusal(of: .text("58392")) == .tooShort)
        #expect(PINRules.refusal(of: .text("58392018273645091")) == .tooLong)
        #expect(PINRules.refusal(of: .text("58392a")) == .notDigits)
        #expect(PINRules.refusal(of: .text("５８３９２０")) == .notDigits)
    }

    /// The list is short: hardly any PIN is refused.
    @Test func fewAreRefused() {
        var refused = 0
        for number in stride(from: 0, to: 1_000_000, by: 97) {
            let digits = decimalBytes(UInt64(1_000_000 + number)).dropFirst()
            if PINRules.refusal(of: Array(digits)) != nil { refused += 1 }
        }
        #expect(refused < 150)
    }
}
