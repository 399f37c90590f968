public import Encodings

/// The server's word that a device answers for an account: what a receipt needs to tell whose key signed.
public struct DeviceConfirmation: Sendable, Equatable {
    static let maximumLength = 1 << 11

    /// The label of the account, 32 bytes.
    public let account: Bytes
    /// The device's key.
    public let device: P256PublicKey
    /// The name of the device, 1 to 100 bytes of UTF-8.
    public let name: Bytes
    /// SHA-256 of the bytes that the device signed at its enrolment.
    public let enrolment: Bytes
    /// Who confirms.
    public let service: ApprovalService
    /// The key of the service.
    public let serverKey: P256PublicKey
    /// When it was enrolled, in seconds since 1970.
    public let time: Int64

    /// What a server confirms after it has checked an enrolment.
    public init<Suite: CryptoSuite>(
        _ enrolment: DeviceEnrolment, of offer: ApprovalOffer, at time: Int64, suite: Suite
    ) {
        account = offer.account
        device = enrolment.key
        name = enrolment.name
        self.enrolment = suite.sha256(enrolment.bytesToSign(offer))
        service = offer.service
        serverKey = offer.serverKey
        self.time = time
    }

    private init(
        account: Bytes, device: P256PublicKey, name: Bytes, enrolment: Bytes, service: ApprovalService,
        serverKey: P256PublicKey, time: Int64
    ) {
        self.account = account
        self.device = device
        self.name = name
        self.enrolment = enrolment
        self.service = service
        self.serverKey = serverKey
        self.time = time
    }

    /// The bytes that the server signs.
    public func statement() -> Bytes {
        var writer = BencodeWriter(capacity: 896)
        writer.beginDictionary()
        writer.text("account")
        writer.string(account)
        writer.text("alg")
        writer.text(ApprovalStatement.algorithm)
        writer.text("device")
        writer.string(device.x963)
        writer.text("enrolment")
        writer.string(enrolment)
        writer.text("key")
        writer.string(serverKey.x963)
        writer.text("kind")
        writer.text("device")
        writer.text("name")
        writer.string(name)
        service.write(to: &writer)
        writer.text("time")
        writer.integer(time)
        writer.end()
        return ApprovalStatement.server(writer.bytes)
    }

    /// Reads a statement.
    ///
    /// - Throws: `malformed`.
    public static func parse(_ statement: Bytes) throws(ApprovalError) -> DeviceConfirmation {
        var members = try ApprovalStatement.openServer(statement, maximumLength: maximumLength)
        let account = try members.string("account", exactly: 32)
        try members.expect("alg", ApprovalStatement.algorithm)
        let device = try members.key("device")
        let enrolment = try members.string("enrolment", exactly: 32)
        let serverKey = try members.key("key")
        try members.expect("kind", "device")
        let name = try members.string("name", 1...100)
        let service = try ApprovalService.read(from: &members)
        let time = try members.integer("time")
        try members.finish()
        guard UTF8Text.isValid(name), time >= 0 else { throw .malformed }
        return DeviceConfirmation(
            account: account, device: device, name: name, enrolment: enrolment, service: service, serverKey: serverKey,
            time: time)
    }
}
