import Foundation

/// The search key of an identity number: the same for everything that a person would call the same number.
///
/// Only the index uses it; what was written is kept as it was written.
enum IdentityNumber {
    /// Which rules made a row's index; rows of older rules get a new index when the server starts.
    static let form: Int64 = 2

    /// Letters and digits alone, in capitals, without leading zeros.
    ///
    /// Compatibility forms are folded and marks dropped (Unicode NFKD), decimal digits of every script are ASCII digits,
    /// and letters of other scripts that look like Latin ones are those.
    static func key(_ text: String) -> String {
        var kept: [Unicode.Scalar] = []
        // Twice: a compatibility form may have a small letter or a digit inside, and a capital may fold again.
        let folded = text.decomposedStringWithCompatibilityMapping.uppercased()
            .decomposedStringWithCompatibilityMapping
        for scalar in folded.unicodeScalars {
            let properties = scalar.properties
            if properties.numericType == .decimal, let value = properties.numericValue {
                kept.append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)))
            } else if properties.isAlphabetic || properties.numericType != nil {
                kept.append(lookAlikes[scalar] ?? scalar)
            }
        }
        let significant = kept.drop { $0 == "0" }
        return String(String.UnicodeScalarView(significant.isEmpty ? kept.suffix(1) : significant))
    }

    /// Capitals that a person cannot tell from Latin ones.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        // Greek, Cyrillic, Armenian and Cherokee, each letter above the Latin one.
        let pairs: [(String, String)] = [
            ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿ", "ABEZHIKMNOPTYXJ"),
            ("АВЕНІЈКМОРЅТСУХҮҺӀԚԜѴ", "ABEHIJKMOPSTCYXYHIQWV"),
            ("ՕՍԼՏ", "OULS"),
            ("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPSTVWZ"),
        ]
        return pairs.reduce(into: [:]) { table, pair in
            for (other, latin) in zip(pair.0.unicodeScalars, pair.1.unicodeScalars) { table[other] = latin }
        }
    }()
}
