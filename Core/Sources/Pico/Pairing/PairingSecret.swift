public import Encodings
import EllipticCurves

/// What a service gives a Pico at pairing, to be brought back at each sign-in (section 4.6).
///
/// It travels as the extra data of Status: the JSON text `{"name":…,"data":…}`, or from older services the secret bare.
public struct PairingSecret: Sendable {
    /// The pairing's name for the person; `nil` if the service sent the secret bare.
    public let name: Bytes?
    private let secret: SecretBytes

    /// What the Pico stores and sends back, byte for byte.
    public var data: Bytes { secret.bytes }

    private init(name: Bytes?, secret: Bytes) {
        self.name = name
        self.secret = SecretBytes(secret)
    }

    /// A secret that a service hands out.
    ///
    /// - Parameters:
    ///   - name: the user's name, UTF-8 without control characters.
    ///   - data: text, UTF-8 without control characters: libpico's parser reads no escapes (section 3.3).
    /// - Throws: `malformed` or `tooLarge`.
    public init(name: Bytes, data: Bytes) throws(PicoError) {
        guard UTF8Text.isValid(name), UTF8Text.isValid(data), PicoJSON.isPlain(name), PicoJSON.isPlain(data) else {
            throw .malformed
        }
        self.init(name: name, secret: data)
        guard encoded().count <= PicoLimits.extraData else { throw .tooLarge }
    }

    /// Reads the extra data of Status: every text is a secret, if it is not of the JSON form.
    public static func read(_ extraData: Bytes) -> PairingSecret {
        guard let members = try? PicoMembers(extraData, maximumLength: PicoLimits.extraData),
            let name = try? members.text("name", PicoLimits.extraData),
            let data = try? members.text("data", PicoLimits.extraData)
        else { return PairingSecret(name: nil, secret: extraData) }
        return PairingSecret(name: name, secret: data)
    }

    /// The extra data for Status, with spaces behind it where its length would be one that libpico misreads.
    public func encoded() -> Bytes {
        var text: Bytes
        if let name {
            text = JSON.members([("name", .string(name)), ("data", .string(data))]).serialized()
        } else {
            text = data
        }
        while !Self.isReadableLength(text.count) { text.append(0x20) }
        return text
    }

    /// Whether libpico reads an element of this length where `char` is signed: no byte of it is above 127 (section 3.4).
    static func isReadableLength(_ count: Int) -> Bool { count & 0x8080 == 0 }
}
