import EllipticCurves
public import Encodings

/// One account in a backup: the key that was made for it alone, and what the service handed out.
///
/// Its curve is a name: the module that pages load first knows P-256 alone, and still has to say what else is there.
public struct BackedUpAccount: Sendable, Equatable {
    /// A curve by the name that files have for it.
    public enum Curve: Sendable, CaseIterable {
        case p192, p256, p384, p521, secp192k1

        /// The name.
        public var name: StaticString {
            switch self {
            case .p192: "p192"
            case .p256: "p256"
            case .p384: "p384"
            case .p521: "p521"
            case .secp192k1: "secp192k1"
            }
        }

        /// The length of a private key, in bytes.
        public var keyLength: Int {
            switch self {
            case .p192, .secp192k1: 24
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }
    }

    /// The most accounts in a backup, and in a wallet.
    public static let maximumCount = 100
    private static let maximumLength = 2 << 20

    /// Names it where it came from; a restore gives it another one.
    public var id: Bytes
    /// The commitment of the service's identity key.
    public var service: PicoCommitment
    /// The service's name, as it was in its pairing code.
    public var serviceName: Bytes
    /// The person's own name for it.
    public var name: Bytes
    /// The curve of all keys.
    public var curve: Curve
    /// The secret number of the identity key, as long as the curve's order.
    public var key: Bytes
    /// What the service gets back at each sign-in, byte for byte.
    public var extraData: Bytes
    /// Whether the person is asked each time.
    public var asksEveryTime: Bool
    /// When it was paired, in seconds since 1970.
    public var created: Int64

    /// An account with all that a backup keeps of it.
    public init(
        id: Bytes, service: PicoCommitment, serviceName: Bytes, name: Bytes, curve: Curve, key: Bytes,
        extraData: Bytes, asksEveryTime: Bool, created: Int64
    ) {
        (self.id, self.service, self.serviceName, self.name) = (id, service, serviceName, name)
        (self.curve, self.key, self.extraData) = (curve, key, extraData)
        (self.asksEveryTime, self.created) = (asksEveryTime, created)
    }

    /// Whether both have one key at one service.
    public func isSameKey(as other: Self) -> Bool {
        service == other.service && curve == other.curve && key.equalsInConstantTime(other.key)
    }

    /// A name that can be shown: 1 to 256 bytes without anything that hides or reorders other text.
    public static func isName(_ name: Bytes) -> Bool {
        1...PicoLimits.name ~= name.count && PicoName.isShowable(name)
    }

    /// What is sealed: one JSON array.
    ///
    /// - Throws: `tooLarge` for more than 100 accounts.
    public static func encoded(_ accounts: [Self]) throws(PicoError) -> Bytes {
        guard accounts.count <= maximumCount else { throw .tooLarge }
        return JSON.array(accounts.map { .object($0.members) }).serialized()
    }

    /// Reads what was sealed; members that are not known are left aside.
    ///
    /// An account whose key comes twice counts once.
    ///
    /// - Throws: `malformed`, `tooLarge`, `invalidKey` for a key on P-256 that is none.
    public static func parse(_ plain: Bytes) throws(PicoError) -> [Self] {
        guard plain.count <= maximumLength else { throw .tooLarge }
        guard let json = try? JSON.parse(plain, maximumLength: maximumLength, maximumDepth: 8, maximumCount: 1 << 14),
            let elements = json.array
        else { throw .malformed }
        guard elements.count <= maximumCount else { throw .tooLarge }
        var accounts: [Self] = []
        for element in elements {
            let account = try Self(element)
            if !accounts.contains(where: { $0.isSameKey(as: account) }) { accounts.append(account) }
        }
        return accounts
    }

    /// Seconds since 1970 that are a time: up to the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    private init(_ json: JSON) throws(PicoError) {
        guard let service = Self.bytes(json["service"]).flatMap({ PicoCommitment(bytes: $0) }),
            let serviceName = json["serviceName"]?.string, Self.isName(serviceName),
            let name = json["name"]?.string, Self.isName(name), let curve = Self.curve(json["curve"]),
            let key = Self.bytes(json["key"]), key.count == curve.keyLength,
            let extraData = Self.bytes(json["extraData"]), extraData.count <= PicoLimits.extraData,
            let asksEveryTime = json["asksEveryTime"]?.bool, let created = json["created"]?.integer,
            Self.times ~= created
        else { throw .malformed }
        if curve == .p256, (try? ECPrivateKey(.p256, scalar: key)) == nil { throw .invalidKey }
        self.init(
            id: json["id"]?.string ?? [], service: service, serviceName: serviceName, name: name, curve: curve,
            key: key, extraData: extraData, asksEveryTime: asksEveryTime, created: created)
    }

    /// The account as a backup has it.
    package var members: [JSON.Member] {
        [
            .init("asksEveryTime", .bool(asksEveryTime)), .init("created", .integer(created)),
            .init("curve", .string(curve.name.withUTF8Buffer { unsafe Bytes($0) })),
            .init("extraData", Self.text(extraData)), .init("id", .string(id)), .init("key", Self.text(key)),
            .init("name", .string(name)), .init("service", Self.text(service.bytes)),
            .init("serviceName", .string(serviceName)),
        ]
    }

    private static func text(_ bytes: Bytes) -> JSON { .string(Base64.encode(bytes, .url)) }

    private static func curve(_ json: JSON?) -> Curve? {
        for curve in Curve.allCases where json?.isString(curve.name) == true { return curve }
        return nil
    }

    private static func bytes(_ json: JSON?) -> Bytes? { json?.string.flatMap { Base64.decode($0, .url) } }
}
