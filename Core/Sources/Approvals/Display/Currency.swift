public import Encodings

/// A currency of ISO 4217 with its number of decimal places.
public struct Currency: Sendable, Equatable {
    /// Three capital letters.
    public let code: Bytes
    /// How many digits of an amount are behind the point, 0 to 4.
    public let exponent: Int

    /// The currency of this code.
    ///
    /// - Returns: `nil` for a code that is not on the list of 1 January 2026, or that has no minor unit, as metals have.
    public init?(code: Bytes) {
        guard code.count == 3, let exponent = Self.exponent(code) else { return nil }
        self.code = code
        self.exponent = exponent
    }

    private static func exponent(_ code: Bytes) -> Int? {
        for (exponent, codes) in [(0, none), (3, three), (4, four), (2, two)] {
            for start in stride(from: 0, to: codes.count, by: 4)
            where codes[start] == code[0] && codes[start + 1] == code[1] && codes[start + 2] == code[2] {
                return exponent
            }
        }
        return nil
    }

    private static let none = Bytes(
        text: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF")
    private static let three = Bytes(text: "BHD IQD JOD KWD LYD OMR TND")
    private static let four = Bytes(text: "CLF UYW")
    private static let two = Bytes(
        text: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF "
            + "CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL "
            + "HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU "
            + "MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR "
            + "SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED "
            + "VES WST XAD XCD XCG YER ZAR ZMW ZWG")
}
