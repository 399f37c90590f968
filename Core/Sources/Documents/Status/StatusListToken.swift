public import Encodings

/// A status list token, parsed and **not** verified (Token Status List section 5.1, our profile).
public struct UnverifiedStatusListToken: Sendable {
    private static let maximumLength = 1 << 19
    private static let maximumCertificates = 3

    private let jws: UnverifiedJWS
    /// The URI of the list: `sub`.
    public let uri: Bytes
    /// When it was made, in seconds since 1970.
    public let issuedAt: Int64
    /// When it stops counting, in seconds since 1970.
    public let expiresAt: Int64
    /// How long a copy should be kept, in seconds.
    public let timeToLive: Int64?
    /// The certificates of `x5c` in DER, leaf first.
    ///
    /// They are claims of the token, not trust.
    public let certificates: [Bytes]

    /// Parses the compact form.
    public static func parse(_ compact: Bytes) throws(StatusError) -> UnverifiedStatusListToken {
        let jws: UnverifiedJWS
        do {
            jws = try UnverifiedJWS.parse(compact, maximumLength: maximumLength)
        } catch {
            throw .refused(error)
        }
        guard let certificates = X5C.certificates(in: jws.header, maximum: maximumCertificates) else {
            throw .missingCertificates
        }
        guard let uri = jws.payload["sub"]?.string, !uri.isEmpty, let issuedAt = jws.payload["iat"]?.integer,
            let expiresAt = jws.payload["exp"]?.integer
        else { throw .malformedClaims }
        var timeToLive: Int64?
        if let value = jws.payload["ttl"] {
            guard let seconds = value.integer, seconds > 0 else { throw .malformedClaims }
            timeToLive = seconds
        }
        return UnverifiedStatusListToken(
            jws: jws, uri: uri, issuedAt: issuedAt, expiresAt: expiresAt, timeToLive: timeToLive,
            certificates: certificates)
    }

    /// Verifies purpose, signature, subject and time, and unpacks the list.
    ///
    /// - Parameters:
    ///   - key: of a certificate validated for status signing, never straight from the token.
    ///   - uri: the list that the credential refers to.
    ///   - now: in seconds since 1970.
    /// - Throws: `stale` and `fromTheFuture` for a good token at the wrong time; these are checked last.
    public func verified<Suite: CryptoSuite>(
        by key: P256PublicKey, uri expected: Bytes, at now: Int64, suite: Suite
    ) throws(StatusError) -> StatusListToken {
        guard uri == expected else { throw .otherList }
        let payload: JSON
        do {
            payload = try jws.payload(signedBy: key, type: StatusListToken.typeName, suite: suite)
        } catch {
            throw .refused(error)
        }
        guard let body = payload["status_list"], let bits = body["bits"]?.integer, bits >= 0, bits <= 8,
            let text = body["lst"]?.string, let compressed = Base64.decode(text, .url)
        else { throw .malformedClaims }
        let list = try StatusList(compressed: compressed, bits: Int(bits))
        let times = try revocationTimes(payload)
        guard issuedAt <= now else { throw .fromTheFuture }
        guard now < expiresAt else { throw .stale }
        return StatusListToken(
            uri: uri, issuedAt: issuedAt, expiresAt: expiresAt, list: list, revocationTimes: times)
    }

    private func revocationTimes(_ payload: JSON) throws(StatusError) -> [(index: Int64, time: Int64)] {
        guard let value = payload["revocation_times"] else { return [] }
        guard let members = value.members else { throw .malformedClaims }
        var times: [(index: Int64, time: Int64)] = []
        for member in members {
            guard let index = parseDecimal(member.name), index <= UInt64(JSON.safeInteger),
                let time = member.value.integer
            else { throw .malformedClaims }
            times.append((Int64(index), time))
        }
        return times
    }
}

/// A verified status list token.
public struct StatusListToken: Sendable {
    static let typeName: StaticString = "statuslist+jwt"

    /// The URI of the list.
    public let uri: Bytes
    /// When it was made: revocations after that are not in it.
    ///
    /// Seconds since 1970.
    public let issuedAt: Int64
    /// When it stops counting, in seconds since 1970.
    public let expiresAt: Int64
    /// The statuses.
    public let list: StatusList
    private let revocationTimes: [(index: Int64, time: Int64)]

    init(
        uri: Bytes, issuedAt: Int64, expiresAt: Int64, list: StatusList,
        revocationTimes: [(index: Int64, time: Int64)]
    ) {
        self.uri = uri
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.list = list
        self.revocationTimes = revocationTimes
    }

    /// When the entry at `index` was revoked, in seconds since 1970, where the token says so.
    public func revocationTime(at index: Int64) -> Int64? {
        for entry in revocationTimes where entry.index == index { return entry.time }
        return nil
    }

    /// The bytes that the status signer signs with ES256.
    ///
    /// - Parameters:
    ///   - uri: where the token is served; becomes `sub`.
    ///   - timeToLive: how long a copy should be kept, in seconds.
    ///   - revocationTimes: for entries of administrators' certificates: when they were revoked.
    ///   - certificates: the status signer's certificate in DER, and intermediates if there are any.
    public static func signingInput(
        uri: Bytes, issuedAt: Int64, expiresAt: Int64, timeToLive: Int64, list: StatusList,
        revocationTimes: [(index: Int64, time: Int64)] = [], certificates: [Bytes]
    ) -> Bytes {
        var payload = [
            JSON.Member("sub", .string(uri)), JSON.Member("iat", .integer(issuedAt)),
            JSON.Member("exp", .integer(expiresAt)), JSON.Member("ttl", .integer(timeToLive)),
            JSON.Member(
                "status_list",
                .members([
                    ("bits", .integer(Int64(list.bits))),
                    ("lst", .string(Base64.encode(list.compressed(), .url))),
                ])),
        ]
        if !revocationTimes.isEmpty {
            let times = revocationTimes.map { entry in
                JSON.Member(decimalBytes(UInt64(max(entry.index, 0))), .integer(entry.time))
            }
            payload.append(JSON.Member("revocation_times", .object(times)))
        }
        let chain = certificates.map { JSON.string(Base64.encode($0, .standard)) }
        return CompactJWS.signingInput(
            type: "statuslist+jwt", header: [JSON.Member("x5c", .array(chain))], payload: .object(payload))
    }
}
