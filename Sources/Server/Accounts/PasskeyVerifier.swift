import CryptoProvider
import Encodings
import Interface
import Passkeys

/// An authenticator's answer, in bytes, and its verification by `Core`'s rules: user verification always, our origin
/// only, never in a frame.
struct PasskeyVerifier {
    /// The relying party: host and origin of the public URL.
    let publicURL: String
    /// Whose statements about hardware are believed; without any, none is.
    let roots: [TrustedAttestationRoot]
    let suite: SwiftCryptoSuite

    /// A registration whose parts were read, not yet verified.
    struct ReadRegistration {
        let registration: UnverifiedRegistration
        let transports: [String]
        /// Base64url.
        var challenge: String { registration.challenge.base64URL }
    }

    /// An assertion whose parts were read, not yet verified.
    struct ReadAssertion {
        let assertion: UnverifiedAssertion
        /// As its flags say (bit 3, WebAuthn Level 3 section 6.1).
        let isBackupEligible: Bool
        /// Base64url.
        var challenge: String { assertion.challenge.base64URL }
    }

    /// The host that passkeys are bound to.
    static func host(of publicURL: String) -> String {
        String(publicURL.split(separator: "/").dropFirst().first?.prefix { $0 != ":" } ?? "")
    }

    /// The algorithms offered to browsers: all that we verify, the commonest first.
    static let algorithms = COSEAlgorithm.all.map { Int($0.rawValue) }

    // Attestation is not asked for, so a chain that leads nowhere proves nothing and spoils nothing.
    private static let requirements = PasskeyRequirements(acceptsUnrootedAttestation: true)

    private var relyingParty: RelyingParty {
        RelyingParty(id: Bytes(text: Self.host(of: publicURL)), origins: [Bytes(text: publicURL)])
    }

    func read(_ body: PasskeyRegistration) throws -> ReadRegistration {
        guard let id = Self.bytes(body.id), Limits.credentialID.contains(id.count),
            let clientData = Self.bytes(body.clientData), let object = Self.bytes(body.attestationObject),
            body.transports.count <= Limits.transports, body.transports.allSatisfy(Self.isTransport)
        else { throw PasskeyRefused(.invalidPasskey, "malformed") }
        do {
            let registration = try UnverifiedRegistration(clientDataJSON: clientData, attestationObject: object)
            guard registration.credentialID == id else { throw PasskeyRefused(.invalidPasskey, "two ids") }
            return ReadRegistration(registration: registration, transports: body.transports)
        } catch let error as PasskeyError {
            throw PasskeyRefused(.invalidPasskey, "\(error)")
        }
    }

    func read(_ body: PasskeyAssertion) throws -> ReadAssertion {
        guard let id = Self.bytes(body.id), Limits.credentialID.contains(id.count),
            let clientData = Self.bytes(body.clientData), let data = Self.bytes(body.authenticatorData),
            let signature = Self.bytes(body.signature)
        else { throw PasskeyRefused(.signInFailed, "malformed") }
        do {
            let assertion = try UnverifiedAssertion(
                credentialID: id, clientDataJSON: clientData, authenticatorData: data, signature: signature)
            return ReadAssertion(assertion: assertion, isBackupEligible: data.count > 32 && data[32] & 8 != 0)
        } catch {
            throw PasskeyRefused(.signInFailed, "\(error)")
        }
    }

    /// Verifies a registration; the result has no account and no name yet.
    func verify(_ read: ReadRegistration, _ ceremony: CeremonyStore.Stored, now: Int64) throws -> PasskeyStore.Stored {
        guard let challenge = Self.bytes(ceremony.challenge), let handle = ceremony.userHandle else {
            throw StoredValueError(column: "ceremonies.challenge")
        }
        let verified: VerifiedRegistration
        do {
            verified = try read.registration.verified(
                challenge: challenge, relyingParty: relyingParty, requirements: Self.requirements, roots: roots,
                at: now, suite: suite)
        } catch {
            throw PasskeyRefused(.invalidPasskey, "\(error)")
        }
        let credential = verified.credential
        // Only a root that the operator chose says something about hardware, and only of a key that cannot be copied.
        let isCertified = if case .certified = verified.attestation { true } else { false }
        return PasskeyStore.Stored(
            id: credential.id.base64URL, account: "", name: "", publicKey: credential.publicKey.cose.base64URL,
            userHandle: handle, signCount: Int64(credential.signCount), isBackupEligible: credential.isBackupEligible,
            isBackedUp: credential.isBackedUp, aaguid: credential.aaguid.base64URL, transports: read.transports,
            isHardwareBound: isCertified && !credential.isBackupEligible, created: now)
    }

    /// Verifies an assertion over its own challenge, which the caller must find and use up.
    ///
    /// - Parameter passkey: `nil` when there is none by that id: the same work is done and refused.
    func verify(_ read: ReadAssertion, by passkey: PasskeyStore.Stored?) throws -> VerifiedAssertion {
        let assertion = read.assertion
        let credential = try passkey?.credential() ?? Self.nobodys(read)
        let verified: VerifiedAssertion
        do {
            verified = try assertion.verified(
                by: credential, challenge: assertion.challenge, relyingParty: relyingParty,
                requirements: Self.requirements, suite: suite)
        } catch {
            throw PasskeyRefused(.signInFailed, passkey == nil ? "no such passkey" : "\(error)")
        }
        // The private half of `nobodys` key is known to everybody.
        guard passkey != nil else { throw PasskeyRefused(.signInFailed, "no such passkey") }
        return verified
    }

    private static func bytes(_ text: String) -> Bytes? { Base64.decode(Bytes(text: text), .url) }

    private static func isTransport(_ text: String) -> Bool {
        Limits.transport.contains(text.utf8.count)
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }

    /// A passkey whose check always fails: its key is the curve's generator (SEC 2 section 2.4.2).
    private static func nobodys(_ read: ReadAssertion) throws -> PasskeyCredential {
        PasskeyCredential(
            id: read.assertion.credentialID, publicKey: try COSEKey(cose: generator), signCount: 0,
            isBackupEligible: read.isBackupEligible, isBackedUp: false, aaguid: Bytes(repeating: 0, count: 16))
    }

    /// `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` (RFC 9053 section 7.1).
    private static let generator: Bytes =
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
        + hexadecimal("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
        + [0x22, 0x58, 0x20]
        + hexadecimal("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")

    private static func hexadecimal(_ text: String) -> Bytes { Hex.decode(Bytes(text: text)) ?? [] }
}

/// A passkey was refused: the caller learns that it was, the log learns why.
struct PasskeyRefused: Error {
    let answer: AccountError
    let cause: String

    init(_ answer: AccountError, _ cause: String) {
        self.answer = answer
        self.cause = cause
    }
}

extension PasskeyStore.Stored {
    /// As `Core` verifies by it.
    fileprivate func credential() throws -> PasskeyCredential {
        guard let id = Base64.decode(Bytes(text: id), .url), let cose = Base64.decode(Bytes(text: publicKey), .url),
            let aaguid = Base64.decode(Bytes(text: aaguid), .url), let signCount = UInt32(exactly: signCount),
            let key = try? COSEKey(cose: cose)
        else { throw StoredValueError(column: "passkeys.public_key") }
        return PasskeyCredential(
            id: id, publicKey: key, signCount: signCount, isBackupEligible: isBackupEligible, isBackedUp: isBackedUp,
            aaguid: aaguid)
    }
}
