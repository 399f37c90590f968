import Certificates
import Encodings
import Interface

/// Looks up for verifiers what is elsewhere: an organisation by its domain, and status lists.
///
/// A verifier needs no account, so requests count by address. An answer is handed on only if it has the requested form,
/// and proves nothing by itself: the page checks it.
struct LookupService {
    /// Most lists at once: a credential's own, and one for each certificate.
    static let mostLists = 4
    let egress: Egress

    /// The organisation that the owner of a domain names.
    func organisation(_ request: DomainLookup) async throws -> PublishedOrganisation {
        guard let domain = DomainName(request.domain) else {
            throw Problem(.invalidMember, "'domain' must be a name like example.edu, without port or path.")
        }
        let bytes = try await fetch(.organisation, from: domain)
        guard let found = PublishedOrganisation(bytes), Self.isWhole(found) else {
            throw Problem(
                .notFound,
                "\(domain.text) publishes no Countersign organisation at \(PublishedOrganisation.path). Compare the "
                    + "fingerprint instead.")
        }
        return found
    }

    /// Status lists of one server as they are now.
    func status(_ request: StatusLookup) async throws -> FoundStatus {
        let places = request.lists.map(Self.place)
        guard (1...Self.mostLists).contains(places.count), Set(places.map { $0?.domain.text }).count == 1 else {
            throw Problem(.invalidMember, "'lists' must name 1 to \(Self.mostLists) lists of one server.")
        }
        var tokens: [String] = []
        for place in places {
            guard let place else {
                throw Problem(.invalidMember, "'lists' must have addresses like https://example.edu/status/1.")
            }
            var bytes = try await fetch(.statusList(place.number), from: place.domain)
            if bytes.last == 0x0A { bytes.removeLast() }
            guard !bytes.isEmpty, bytes.allSatisfy(Self.isOfToken) else {
                throw Problem(.notFound, "\(place.domain.text) has no status list there.")
            }
            tokens.append(String(decoding: bytes, as: UTF8.self))
        }
        return FoundStatus(tokens: tokens)
    }

    private static func place(_ address: String) -> (domain: DomainName, number: Int64)? {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "https:", parts[1].isEmpty, parts[3] == "status",
            parts[4].utf8.count <= 9, let number = parseDecimal(Bytes(text: String(parts[4]))),
            let domain = DomainName(String(parts[2]))
        else { return nil }
        return (domain, Int64(number))
    }

    /// A byte of a compact JWS.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x2E || byte == 0x5F
    }

    /// Whether name, address and fingerprint are those of the certificate.
    private static func isWhole(_ found: PublishedOrganisation) -> Bool {
        guard let blocks = try? PEM.decode(Bytes(text: found.rootCertificate)), blocks.count == 1,
            let root = try? TrustAnchor(der: blocks[0])
        else { return false }
        return found.publicURL == String(decoding: root.publicURL, as: UTF8.self)
            && found.rootFingerprint == String(decoding: Hex.encode(root.fingerprint), as: UTF8.self)
    }

    private func fetch(_ purpose: Egress.Purpose, from domain: DomainName) async throws -> [UInt8] {
        do {
            return try await egress.fetch(purpose, from: domain)
        } catch {
            throw Problem(error, domain: domain.text)
        }
    }
}

extension Problem {
    /// The words about a failed look-up: nothing about networks that only this server sees.
    fileprivate init(_ failure: Egress.Failure, domain: String) {
        self =
            switch failure {
            case .off: Problem(.notFound, "This server looks nothing up elsewhere. Compare the fingerprint instead.")
            case .busy: Problem(.busy)
            case .unknownName, .notPublic:
                Problem(.notFound, "There is no public server of the name \(domain). Is it spelt right?")
            case .unreachable, .refused, .tooLong:
                Problem(.notFound, "The server of \(domain) gives no such thing. Is it the right domain?")
            }
    }
}

extension PublishedOrganisation {
    /// Reads the document; members that we do not know are for newer readers.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["format"]?.isString("countersign-organisation-v1") == true,
            let name = Self.text(json["name"]), let publicURL = Self.text(json["public_url"]),
            let fingerprint = Self.text(json["root_fingerprint"]), let root = Self.text(json["root_certificate"]),
            let logKey = Self.text(json["log_key"])
        else { return nil }
        self.init(
            Organisation(
                name: name, publicURL: publicURL, isSetUp: true, rootCertificate: root, rootFingerprint: fingerprint,
                logKey: logKey, logPolicy: Self.policy(json["log_policy"])))
        versions = (json["versions"]?.array ?? []).compactMap(Self.text)
    }

    private static func policy(_ json: JSON?) -> LogPolicyStatement? {
        guard let version = json?["version"]?.integer, let policy = text(json?["policy"]),
            let statement = text(json?["statement"]), let certificate = text(json?["certificate"])
        else { return nil }
        return LogPolicyStatement(version: version, policy: policy, statement: statement, certificate: certificate)
    }

    private static func text(_ json: JSON?) -> String? { json?.string.map { String(decoding: $0, as: UTF8.self) } }
}
