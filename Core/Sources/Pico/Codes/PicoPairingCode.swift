public import EllipticCurves
public import Encodings

/// KP: a service shows it once for each account, and a Pico pairs with it (section 2).
///
/// The signature covers the name and the address, one behind the other without anything between, under the key that is in
/// the code itself. So it does not tell who made the code (section 13, numbers 3 and 4): show the name, the host of the
/// address and the fingerprint, and ask.
public struct PicoPairingCode: Sendable, Equatable {
    /// The service's name: 1 to 256 bytes of UTF-8 without controls and marks of direction.
    public let name: Bytes
    /// The service's identity key.
    public let publicKey: ECPublicKey
    /// Where the service waits.
    public let address: PicoAddress
    /// Over the name and the address, DER.
    private let signature: Bytes

    /// Makes the code that a service shows.
    ///
    /// - Throws: `malformed` or `tooLarge` for a name that no code may have, `suiteFailed`.
    public init<Suite: PicoCryptoSuite>(
        name: Bytes, address: PicoAddress, identity: ECPrivateKey, suite: Suite
    ) throws(PicoError) {
        try Self.check(name)
        guard let signature = suite.signature(over: name + address.text, with: identity) else { throw .suiteFailed }
        self.name = name
        self.address = address
        self.signature = signature
        publicKey = identity.publicKey
    }

    init<Suite: PicoCryptoSuite>(
        _ members: PicoMembers, curves: PicoCurves, schemes: [PicoAddress.Scheme], suite: Suite
    ) throws(PicoError) {
        name = try members.text("sn", PicoLimits.name)
        try Self.check(name)
        address = try PicoAddress.parse(members.text("sa", PicoLimits.address), accepting: schemes)
        signature = try members.base64("sig", 1...PicoLimits.signature)
        try PicoCode.checkExtraData(members)
        _ = try members.members("td")
        publicKey = try curves.publicKey(spki: members.base64("spk", 0...PicoLimits.publicKey))
        guard suite.isValidSignature(signature, over: name + address.text, publicKey: publicKey) else {
            throw .invalidSignature
        }
    }

    /// The text of the code, members in the order in which jpico writes them.
    public func encoded() -> Bytes {
        JSON.members([
            ("sn", .string(name)), ("spk", PicoJSON.base64(publicKey.spki)), ("sig", PicoJSON.base64(signature)),
            ("ed", .text("")), ("sa", .string(address.text)), ("td", .object([])), ("t", .text("KP")),
        ]).serialized()
    }

    /// Names are shown to people who decide by them, and written where libpico reads them.
    private static func check(_ name: Bytes) throws(PicoError) {
        guard name.count <= PicoLimits.name else { throw .tooLarge }
        guard !name.isEmpty, PicoName.isShowable(name) else { throw .malformed }
    }
}
