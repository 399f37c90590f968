import Certificates
package import CryptoProvider
package import Encodings

/// The request to the root: a small file, carried to where the root is, with nothing secret in it.
package struct RootRequest: Sendable, Equatable {
    /// One certificate to be renewed, for the key and under the name that it has.
    package struct Item: Sendable, Equatable {
        let current: Certificate

        /// Which one.
        package var kind: RootCertificateKind { RootCertificateKind(of: current) }
        /// The owner, as the certificate names them.
        package var name: String { String(decoding: current.commonName ?? [], as: UTF8.self) }
        /// The key.
        package var key: P256PublicKey { current.publicKey }
    }

    /// The root certificate, DER: which root is asked.
    package let root: Bytes
    /// From when on the certificates hold, in seconds since 1970, by the server's clock.
    package let time: Int64
    /// What is to be renewed.
    package let items: [Item]

    private static let format: StaticString = "countersign-root-request-v1"
    /// Certificates and keys of two: far less than this.
    package static let maximumSize = 1 << 16

    /// Why a text is no request, or an answer none to it.
    package enum FormError: Error, Equatable {
        case malformed
        /// It asks for a key that this root has never certified.
        case unknownKey
    }

    init(root: Bytes, time: Int64, items: [Item]) {
        self.root = root
        self.time = time
        self.items = items
    }

    /// Reads what `formatted` made.
    package init(_ text: Bytes) throws {
        guard let json = try? JSON.parse(text, maximumLength: Self.maximumSize, maximumDepth: 4),
            json.members?.count == 4, json["format"]?.isString(Self.format) == true, let time = json["time"]?.integer,
            let root = json["root"]?.string.flatMap({ Base64.decode($0, .url) }), let listed = json["items"]?.array,
            (1...8).contains(listed.count)
        else { throw FormError.malformed }
        self.init(root: root, time: time, items: try listed.map(Self.item))
    }

    /// Canonical JSON (RFC 8785) and a line end.
    package func formatted() throws -> Bytes {
        try JSON.members([
            ("format", .text("\(Self.format)")),
            ("items", .array(items.map { .string(Base64.encode($0.current.der, .url)) })),
            ("root", .string(Base64.encode(root, .url))), ("time", .integer(time)),
        ]).canonical() + [0x0A]
    }

    /// Certifies all that is asked for.
    ///
    /// Only keys that this very root has certified before: an attacker who holds the server cannot have it certify a
    /// key of their own.
    ///
    /// - Throws: `FormError.unknownKey`; `TravelError.otherRoot` if another root is asked; `IssuingError`.
    package func certify(by authority: IssuingAuthority, random: RandomSource) throws -> RootAnswer {
        guard authority.certificateDER == root else { throw RootTravel.TravelError.otherRoot }
        let anchor = try TrustAnchor(der: root)
        var random = random
        return RootAnswer(
            certificates: try items.map { item in
                guard anchor.hasIssued(item.current, as: item.kind, at: item.current.notBefore) else {
                    throw FormError.unknownKey
                }
                return try item.kind.certificate(
                    for: item.key, name: item.name, status: item.current.statusReference, by: authority,
                    notBefore: time, random: &random)
            })
    }

    private static func item(_ json: JSON) throws -> Item {
        guard let der = json.string.flatMap({ Base64.decode($0, .url) }), let current = try? Certificate.parse(der)
        else { throw FormError.malformed }
        return Item(current: current)
    }
}

extension TrustAnchor {
    /// Whether a certificate is one that this root issued as this kind, valid at a time.
    func hasIssued(_ certificate: Certificate, as kind: RootCertificateKind, at time: Int64) -> Bool {
        do {
            switch kind {
            case .statusSigner, .deskSigner:
                _ = try CertificatePath.validate(
                    leaf: certificate, intermediates: [], root: self,
                    purpose: kind == .statusSigner ? .status : .handSignatures, at: time, suite: SwiftCryptoSuite())
            case .mainAdministrator:
                _ = try CertificatePath.validate(
                    authority: certificate, root: self, at: time, suite: SwiftCryptoSuite())
            }
            return true
        } catch {
            return false
        }
    }
}

/// The root's answer: carried back to the server, with nothing secret in it.
package struct RootAnswer: Sendable, Equatable {
    /// DER, in the order of the request.
    package let certificates: [Bytes]

    private static let format: StaticString = "countersign-root-answer-v1"

    init(certificates: [Bytes]) { self.certificates = certificates }

    /// Reads what `formatted` made.
    package init(_ text: Bytes) throws {
        guard let json = try? JSON.parse(text, maximumLength: RootRequest.maximumSize, maximumDepth: 3),
            json.members?.count == 2, json["format"]?.isString(Self.format) == true,
            let listed = json["certificates"]?.array, (1...8).contains(listed.count)
        else { throw RootRequest.FormError.malformed }
        certificates = try listed.map { element in
            guard let der = element.string.flatMap({ Base64.decode($0, .url) }) else {
                throw RootRequest.FormError.malformed
            }
            return der
        }
    }

    /// Canonical JSON (RFC 8785) and a line end.
    package func formatted() throws -> Bytes {
        try JSON.members([
            ("certificates", .array(certificates.map { .string(Base64.encode($0, .url)) })),
            ("format", .text("\(Self.format)")),
        ]).canonical() + [0x0A]
    }
}
