public import Encodings

/// A header that was read or is to be written; whether it is authentic, only the file key says.
public struct AgeHeader: Sendable, Equatable {
    let stanzas: [AgeStanza]
    let mac: Bytes

    init(stanzas: [AgeStanza], mac: Bytes) {
        self.stanzas = stanzas
        self.mac = mac
    }

    /// Whether a passphrase opens the file; otherwise keys do.
    public var needsPassphrase: Bool { stanzas.contains { $0.arguments[0].equals("scrypt") } }

    /// The base-two logarithm of the work factor of the passphrase: 2^`logWork` KiB of memory; `nil` if there is none.
    public var logWork: Int? {
        guard needsPassphrase, stanzas.count == 1, stanzas[0].arguments.count == 3 else { return nil }
        return parseDecimal(stanzas[0].arguments[2]).flatMap { Int(exactly: $0) }
    }

    /// Reads the header of a file of which only the beginning is there, armoured or not: to learn what opens it.
    ///
    /// - Returns: `nil` if more of the file is needed.
    public static func read(beginning: Bytes) throws(AgeError) -> AgeHeader? {
        var armour = AgeArmourReader()
        var reader = AgeHeaderReader()
        guard let first = beginning.first else { return nil }
        guard AgeFormat.isArmoured(first: first) else { return try reader.read(beginning[...])?.header }
        var bytes: Bytes = []
        try armour.read(beginning[...], appendingTo: &bytes)
        return try reader.read(bytes[...])?.header
    }

    /// Seals a file key for stanzas that are complete.
    static func authenticated<Suite: AgeCryptoSuite>(
        _ stanzas: [AgeStanza], by fileKey: AgeFileKey, _ suite: Suite
    ) -> Self {
        let unsigned = Self(stanzas: stanzas, mac: [])
        return Self(stanzas: stanzas, mac: fileKey.mac(of: unsigned.authenticatedBytes, suite))
    }

    /// The key of the file, if an identity opens a stanza and the header is authentic.
    ///
    /// The first identity that opens one decides.
    func fileKey<Suite: AgeCryptoSuite>(with identities: [AgeIdentity], _ suite: Suite) throws(AgeError) -> AgeFileKey {
        if needsPassphrase, stanzas.count != 1 { throw .malformedHeader }
        for identity in identities {
            for stanza in stanzas {
                guard let key = try identity.unwrap(stanza, suite) else { continue }
                guard key.mac(of: authenticatedBytes, suite).equalsInConstantTime(mac) else { throw .wrongMAC }
                return key
            }
        }
        throw .noMatch
    }

    /// The whole header.
    var encoded: Bytes { authenticatedBytes + [0x20] + RawBase64.encode(mac) + [0x0A] }

    /// What the authentication code covers.
    ///
    /// As there is one spelling for each header, it is what was read.
    private var authenticatedBytes: Bytes {
        var bytes = Self.version + [0x0A]
        for stanza in stanzas { bytes += stanza.encoded }
        return bytes + Self.end
    }

    static let version = Bytes(text: "age-encryption.org/v1")
    static let end = Bytes(text: "---")
}
