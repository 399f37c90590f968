public import Encodings

/// One salted claim that a holder may show or keep (RFC 9901 section 4.2).
public struct Disclosure: Sendable, Equatable {
    /// The salt's text; what makes the digest of a guessable value unguessable.
    public let salt: Bytes
    /// The claim's name, or `nil` for an element of an array.
    public let name: Bytes?
    /// The claim's value.
    public let value: JSON
    /// The disclosure as it travels: base64url of the JSON array.
    ///
    /// This text, and no other spelling, is what is hashed.
    public let encoded: Bytes

    /// Makes a disclosure of an object member.
    ///
    /// - Parameter salt: at least 16 random bytes, used once.
    public init(salt: Bytes, name: Bytes, value: JSON) {
        self.salt = Base64.encode(salt, .url)
        self.name = name
        self.value = value
        encoded = Base64.encode(JSON.array([.string(self.salt), .string(name), value]).serialized(), .url)
    }

    private init(parsedSalt: Bytes, name: Bytes?, value: JSON, encoded: Bytes) {
        salt = parsedSalt
        self.name = name
        self.value = value
        self.encoded = encoded
    }

    /// Reads a disclosure.
    public static func parse(_ encoded: Bytes) throws(SDJWTError) -> Disclosure {
        guard let text = Base64.decode(encoded, .url) else { throw .malformedDisclosure }
        let json: JSON
        do {
            json = try JSON.parse(text)
        } catch {
            throw .malformedDisclosure
        }
        guard let parts = json.array, parts.count == 2 || parts.count == 3, let salt = parts[0].string else {
            throw .malformedDisclosure
        }
        guard parts.count == 3 else {
            return Disclosure(parsedSalt: salt, name: nil, value: parts[1], encoded: encoded)
        }
        guard let name = parts[1].string else { throw .malformedDisclosure }
        return Disclosure(parsedSalt: salt, name: name, value: parts[2], encoded: encoded)
    }

    /// The digest as it is in `_sd` or `...`: base64url of SHA-256 of the encoded form.
    public func digest<Suite: CryptoSuite>(suite: Suite) -> Bytes {
        Base64.encode(suite.sha256(encoded), .url)
    }
}
