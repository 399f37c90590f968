public import Encodings

/// The claim that is missing or not what the profile asks for.
public enum CredentialClaimError: Error, Equatable, Sendable {
    /// `iss` is not a text, or `issuer_name` no name.
    case issuer
    /// `iat` is not a time.
    case issuedAt
    /// `exp` is not a time after `iat`.
    case expiresAt
    /// `nbf` is not a time.
    case notBefore
    /// `vct` is not `<issuer>/credentials/<type>`.
    case type
    /// `cnf` holds no P-256 key: nothing binds the credential to a holder.
    case holderKey
    /// `status` is there and not a reference into a status list.
    case status
    /// `document` is there and not a descriptor.
    case document
}

/// Where a credential's or certificate's status is found (Token Status List section 6.2).
public struct StatusListEntry: Sendable, Equatable {
    /// The status list token's `sub`.
    public let uri: Bytes
    /// The position in the list.
    public let index: Int64

    /// A position in the list at `uri`.
    public init(uri: Bytes, index: Int64) {
        self.uri = uri
        self.index = index
    }

    /// `{"status_list": {"idx": …, "uri": …}}`.
    public var json: JSON {
        .members([("status_list", .members([("idx", .integer(index)), ("uri", .string(uri))]))])
    }
}

/// The typed view of a credential's always visible claims (SD-JWT VC, our profile).
///
/// Reading them proves nothing: what they are worth, the signature decides.
public struct CredentialClaims: Sendable, Equatable {
    /// The issuer's public URL.
    public let issuer: Bytes
    /// What the organisation was called when it signed, UTF-8; `nil` when the credential does not say.
    public let issuerName: Bytes?
    /// When it was signed, in seconds since 1970.
    public let issuedAt: Int64
    /// From when it counts, in seconds since 1970.
    public let notBefore: Int64?
    /// When it ends, in seconds since 1970.
    public let expiresAt: Int64?
    /// The verifiable credential type, a URL below the issuer's.
    public let type: Bytes
    /// The key of the one who may present it.
    public let holderKey: P256PublicKey
    /// Where its status is found; `nil` when the issuer keeps none.
    public let status: StatusListEntry?

    /// Everything that an issuer states visibly.
    public init(
        issuer: Bytes, issuerName: Bytes?, issuedAt: Int64, expiresAt: Int64?, typeName: Bytes,
        holderKey: P256PublicKey, status: StatusListEntry?
    ) {
        self.issuer = issuer
        self.issuerName = issuerName
        self.issuedAt = issuedAt
        notBefore = nil
        self.expiresAt = expiresAt
        type = issuer + Self.typePath + typeName
        self.holderKey = holderKey
        self.status = status
    }

    /// Reads the visible claims of an issuer-signed payload.
    public init(payload: JSON) throws(CredentialClaimError) {
        guard let issuer = payload["iss"]?.string, !issuer.isEmpty, issuer.count <= 512 else { throw .issuer }
        guard let issuedAt = payload["iat"]?.integer, issuedAt >= 0 else { throw .issuedAt }
        guard let type = payload["vct"]?.string, type.count <= 1024,
            Self.typeName(of: type, issuer: issuer) != nil
        else { throw .type }
        self.issuer = issuer
        issuerName = try Self.issuerName(payload)
        self.issuedAt = issuedAt
        self.type = type
        if let value = payload["exp"] {
            guard let time = value.integer, time > issuedAt else { throw .expiresAt }
            expiresAt = time
        } else {
            expiresAt = nil
        }
        if let value = payload["nbf"] {
            guard let time = value.integer else { throw .notBefore }
            notBefore = time
        } else {
            notBefore = nil
        }
        guard let jwk = payload["cnf"]?["jwk"], let key = P256PublicKey(jwk: jwk) else { throw .holderKey }
        holderKey = key
        if let value = payload["status"] {
            guard let list = value["status_list"], let index = list["idx"]?.integer, index >= 0,
                let uri = list["uri"]?.string, !uri.isEmpty, uri.count <= 1024
            else { throw .status }
            status = StatusListEntry(uri: uri, index: index)
        } else {
            status = nil
        }
    }

    /// The last part of `vct`: the name of the catalogue's type.
    public var typeName: Bytes { Self.typeName(of: type, issuer: issuer) ?? [] }

    /// The claims as payload members, in the order we issue them.
    public var members: [JSON.Member] {
        var members = [JSON.Member("iss", .string(issuer))]
        if let issuerName { members.append(JSON.Member("issuer_name", .string(issuerName))) }
        members.append(JSON.Member("iat", .integer(issuedAt)))
        if let expiresAt { members.append(JSON.Member("exp", .integer(expiresAt))) }
        members.append(JSON.Member("vct", .string(type)))
        members.append(JSON.Member("cnf", .members([("jwk", holderKey.jwk)])))
        if let status { members.append(JSON.Member("status", status.json)) }
        return members
    }

    /// The longest name of an organisation, in bytes: 200 letters that people see, of two code points on average.
    private static let longestIssuerName = 1600

    /// Whether a text can be an organisation's name: shown beside what was validated, so nothing may hide or turn it.
    public static func isIssuerName(_ name: Bytes) -> Bool { FileLabel.isText(name, maximum: longestIssuerName) }

    private static func issuerName(_ payload: JSON) throws(CredentialClaimError) -> Bytes? {
        guard let value = payload["issuer_name"] else { return nil }
        guard let name = value.string, isIssuerName(name) else { throw .issuer }
        return name
    }

    private static let typePath = Bytes(text: "/credentials/")

    private static func typeName(of type: Bytes, issuer: Bytes) -> Bytes? {
        let prefix = issuer + typePath
        guard type.count > prefix.count, type.starts(with: prefix) else { return nil }
        let name = Array(type[prefix.count...])
        guard name.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F || $0 == 0x2D })
        else { return nil }
        return name
    }
}
