public import Encodings

/// How a device takes an offer: its new key, a name for people, and perhaps an older device that vouches for it.
public struct DeviceEnrolment: Sendable, Equatable {
    /// The longest message, in bytes.
    public static let maximumLength = 1 << 10

    /// The id of the offer.
    public let offer: Bytes
    /// The name of the device, 1 to 100 bytes of UTF-8.
    public let name: Bytes
    /// The key that it made for this service.
    public let key: P256PublicKey
    /// The key of the older device that hands over to it.
    public let voucher: P256PublicKey?

    /// An enrolment of these values.
    ///
    /// - Throws: `malformed` for a name out of form, `unsupportedKey` when a device vouches for itself.
    public init(
        offer: ApprovalOffer, name: Bytes, key: P256PublicKey, voucher: P256PublicKey? = nil
    ) throws(ApprovalError) {
        try self.init(offer: offer.id, name: name, key: key, voucher: voucher)
    }

    private init(offer: Bytes, name: Bytes, key: P256PublicKey, voucher: P256PublicKey?) throws(ApprovalError) {
        guard offer.count == 16, !name.isEmpty, name.count <= 100, UTF8Text.isValid(name) else { throw .malformed }
        guard key != voucher else { throw .unsupportedKey }
        self.offer = offer
        self.name = name
        self.key = key
        self.voucher = voucher
    }

    /// The bytes that the new device signs, and the older one too if it hands over.
    public func bytesToSign(_ offer: ApprovalOffer) -> Bytes {
        ApprovalStatement.device(.enrol, answering: offer.statement(), dictionary())
    }

    /// Six digits of these bytes, which the device and the page that offers both show.
    ///
    /// Another key, another account or another service gives other digits, except once in a million times.
    public func code<Suite: CryptoSuite>(_ offer: ApprovalOffer, suite: Suite) -> Bytes {
        var number: UInt64 = 0
        for byte in suite.sha256(bytesToSign(offer))[0..<8] { number = number << 8 | UInt64(byte) }
        return Array((decimalBytes(1_000_000 + number % 1_000_000)).dropFirst())
    }

    /// The message that travels.
    ///
    /// - Parameters:
    ///   - signature: of the new key.
    ///   - handover: of the older device's key; it must be there exactly when one vouches.
    public func encoded(signature: Bytes, handover: Bytes? = nil) -> Bytes {
        var writer = BencodeWriter(capacity: 512)
        writer.beginList()
        writer.text("enrolment")
        writer.string(offer)
        writer.encoded(dictionary())
        writer.string(signature)
        writer.string(handover ?? [])
        writer.end()
        return writer.bytes
    }

    /// Reads a message and checks it against the offer.
    ///
    /// - Parameters:
    ///   - offer: the stored offer, if it is still there.
    ///   - devices: the keys of the account's devices; one of them must vouch if `needsVoucher`.
    ///   - serverKeys: keys that no device may have.
    /// - Throws: `malformed`, `unknownChallenge`, `expired`, `unsupportedKey`, `unknownDevice` or `invalidSignature`.
    public static func parse<Suite: ApprovalCryptoSuite>(
        _ message: Bytes, for offer: ApprovalOffer?, devices: [P256PublicKey], needsVoucher: Bool,
        serverKeys: [P256PublicKey], at now: Int64, suite: Suite
    ) throws(ApprovalError) -> DeviceEnrolment {
        let (enrolment, signature, handover) = try parts(of: message)
        let key = enrolment.key
        guard let offer, offer.id == enrolment.offer else { throw .unknownChallenge }
        guard now <= offer.expires else { throw .expired }
        guard suite.isOnP256(key.x963), key != offer.serverKey, !serverKeys.contains(key), !devices.contains(key)
        else { throw .unsupportedKey }
        let bytes = enrolment.bytesToSign(offer)
        guard suite.isValidP256(signature, over: bytes, publicKey: key.x963) else { throw .invalidSignature }
        guard let voucher = enrolment.voucher else {
            guard !needsVoucher else { throw .unknownDevice }
            return enrolment
        }
        guard devices.contains(voucher) else { throw .unknownDevice }
        guard suite.isValidP256(handover, over: bytes, publicKey: voucher.x963) else { throw .invalidSignature }
        return enrolment
    }

    /// Reads a message that was checked before, such as one that was stored.
    ///
    /// - Throws: `malformed` or `unsupportedKey`.
    public static func read(_ message: Bytes) throws(ApprovalError) -> DeviceEnrolment {
        try parts(of: message).enrolment
    }

    private static func parts(
        of message: Bytes
    ) throws(ApprovalError) -> (enrolment: DeviceEnrolment, signature: Bytes, handover: Bytes) {
        guard let parts = try? Bencode.parse(message, maximumLength: maximumLength, maximumDepth: 2, maximumCount: 16),
            let list = parts.list, list.count == 5, list[0].string?.equals("enrolment") == true,
            let id = list[1].string, let signature = list[3].string, signature.count == 64,
            let handover = list[4].string
        else { throw .malformed }
        var members = try MemberReader(list[2])
        try members.expect("alg", ApprovalStatement.algorithm)
        var voucher: P256PublicKey?
        if let value = members.takeIf("by") {
            guard let key = value.string.flatMap({ P256PublicKey(x963: $0) }) else { throw .malformed }
            voucher = key
        }
        let key = try members.key("key")
        let name = try members.string("name", 1...100)
        try members.finish()
        guard handover.count == (voucher == nil ? 0 : 64) else { throw .malformed }
        return (try DeviceEnrolment(offer: id, name: name, key: key, voucher: voucher), signature, handover)
    }

    private func dictionary() -> Bytes {
        var writer = BencodeWriter(capacity: 320)
        writer.beginDictionary()
        writer.text("alg")
        writer.text(ApprovalStatement.algorithm)
        if let voucher {
            writer.text("by")
            writer.string(voucher.x963)
        }
        writer.text("key")
        writer.string(key.x963)
        writer.text("name")
        writer.string(name)
        writer.end()
        return writer.bytes
    }
}
