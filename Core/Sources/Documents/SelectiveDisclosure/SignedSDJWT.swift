public import Encodings

/// An SD-JWT whose issuer signature is verified, and whose disclosures are not yet matched.
public struct SignedSDJWT: Sendable {
    /// The payload as signed: visible claims and digests.
    public let payload: JSON
    let disclosures: [Disclosure]

    /// Matches disclosures with digests (RFC 9901 section 7.1 step 3), strictly.
    ///
    /// Digests without a disclosure are ignored: the claim was withheld, or never was. Everything else that does not
    /// fit exactly is refused.
    public func processed<Suite: CryptoSuite>(suite: Suite) throws(SDJWTError) -> VerifiedSDJWT {
        if let algorithm = payload["_sd_alg"], !algorithm.isString("sha-256") { throw .unsupportedHash }
        var matcher = try DisclosureMatcher(disclosures, suite: suite)
        let claims = try matcher.top(payload)
        try matcher.finish()
        return VerifiedSDJWT(payload: payload, claims: claims, disclosures: disclosures)
    }
}

/// An SD-JWT whose issuer signature and disclosures are verified; who presents it is another question.
public struct VerifiedSDJWT: Sendable {
    /// The payload as signed: visible claims and digests.
    public let payload: JSON
    /// Visible and disclosed claims together, without anything of SD-JWT's own.
    public let claims: JSON
    private let disclosures: [Disclosure]

    init(payload: JSON, claims: JSON, disclosures: [Disclosure]) {
        self.payload = payload
        self.claims = claims
        self.disclosures = disclosures
    }

    /// The claims of the top level that were disclosed by the holder, with their values, in the payload's order.
    public var disclosed: [JSON.Member] {
        guard let members = claims.members else { return [] }
        return members.filter { payload[bytes: $0.name] == nil }
    }

    /// The credential's claims about its subject, visible or disclosed: all claims of the top level except `document`
    /// and those by which a verifier judges.
    public var fields: [JSON.Member] {
        guard let members = claims.members else { return [] }
        return members.filter { !CredentialProfile.mustBeVisible($0.name) && !$0.name.equals("document") }
    }
}

/// Replaces digests by what the disclosures say.
struct DisclosureMatcher {
    private static let maximumDepth = 64
    private static let maximumDigests = 1 << 16

    private let disclosures: [Disclosure]
    /// Digests of the disclosures, sorted, with their positions.
    private let index: [(digest: Bytes, position: Int)]
    private var isUsed: [Bool]
    private var seen: [Bytes] = []

    init<Suite: CryptoSuite>(_ disclosures: [Disclosure], suite: Suite) throws(SDJWTError) {
        self.disclosures = disclosures
        isUsed = [Bool](repeating: false, count: disclosures.count)
        var entries: [(digest: Bytes, position: Int)] = []
        for position in 0..<disclosures.count {
            entries.append((disclosures[position].digest(suite: suite), position))
        }
        entries.sort { $0.digest.precedes($1.digest) }
        index = entries
        for next in 1..<max(entries.count, 1) where entries[next - 1].digest == entries[next].digest {
            throw .repeatedDisclosure
        }
    }

    /// The whole payload, where alone `_sd_alg` may stand and where the claims we judge by must be visible.
    mutating func top(_ payload: JSON) throws(SDJWTError) -> JSON {
        guard let members = payload.members else { throw .malformed }
        return try object(members, depth: 0)
    }

    /// Refuses what was left over or came twice.
    mutating func finish() throws(SDJWTError) {
        seen.sort { $0.precedes($1) }
        for next in 1..<max(seen.count, 1) where seen[next - 1] == seen[next] { throw .duplicateDigest }
        for flag in isUsed where !flag { throw .unreferencedDisclosure }
    }

    private mutating func value(_ value: JSON, depth: Int) throws(SDJWTError) -> JSON {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        switch value {
        case .object(let members): return try object(members, depth: depth)
        case .array(let elements): return try array(elements, depth: depth)
        case .null, .bool, .integer, .decimal, .string: return value
        }
    }

    private mutating func object(_ members: [JSON.Member], depth: Int) throws(SDJWTError) -> JSON {
        var result: [JSON.Member] = []
        var digests: [JSON] = []
        for member in members {
            if member.name.equals("_sd") {
                guard let listed = member.value.array else { throw .malformedDigests }
                digests = listed
            } else if member.name.equals("...") {
                throw .malformedDigests
            } else if member.name.equals("_sd_alg") {
                guard depth == 0 else { throw .reservedName }
            } else {
                result.append(JSON.Member(member.name, try value(member.value, depth: depth + 1)))
            }
        }
        for digest in digests {
            guard let text = digest.string else { throw .malformedDigests }
            guard let disclosure = try match(text) else { continue }
            guard let name = disclosure.name else { throw .misplacedDisclosure }
            guard !CredentialProfile.isReserved(name), depth > 0 || !CredentialProfile.mustBeVisible(name) else {
                throw .reservedName
            }
            for member in result where member.name == name { throw .duplicateClaim }
            result.append(JSON.Member(name, try value(disclosure.value, depth: depth + 1)))
        }
        return .object(result)
    }

    private mutating func array(_ elements: [JSON], depth: Int) throws(SDJWTError) -> JSON {
        var result: [JSON] = []
        for element in elements {
            guard case .object(let members) = element, members.count == 1, members[0].name.equals("...") else {
                result.append(try value(element, depth: depth + 1))
                continue
            }
            guard let text = members[0].value.string else { throw .malformedDigests }
            guard let disclosure = try match(text) else { continue }
            guard disclosure.name == nil else { throw .misplacedDisclosure }
            result.append(try value(disclosure.value, depth: depth + 1))
        }
        return .array(result)
    }

    /// The disclosure with this digest, marked as used, or `nil` for a withheld claim or a decoy.
    private mutating func match(_ digest: Bytes) throws(SDJWTError) -> Disclosure? {
        guard seen.count < Self.maximumDigests else { throw .malformedDigests }
        seen.append(digest)
        var low = 0
        var high = index.count
        while low < high {
            let middle = (low + high) / 2
            if index[middle].digest.precedes(digest) { low = middle + 1 } else { high = middle }
        }
        guard low < index.count, index[low].digest == digest else { return nil }
        let position = index[low].position
        guard !isUsed[position] else { throw .duplicateDigest }
        isUsed[position] = true
        return disclosures[position]
    }
}
