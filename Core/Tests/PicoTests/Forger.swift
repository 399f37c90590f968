import EllipticCurves
import Encodings

@testable import Pico

/// A service that follows the protocol except where a test says otherwise.
struct Forger {
    let pair: Pair
    let start: StartMessage
    let ephemeral: ECPrivateKey
    let nonce = Bytes(0..<8)
    let keys: PicoKeys
    var sessionID: Int32 = 0

    /// Answers a Start with an ephemeral key of its own.
    init(_ pair: Pair, start: Bytes, seed: String = "forger") throws {
        self.pair = pair
        self.start = try StartMessage.parse(start, curves: .old)
        ephemeral = try TestSuite(seed: seed).freshKey(on: self.start.ephemeral.curve)
        keys = try PicoKeys.agree(
            own: ephemeral, peer: self.start.ephemeral, picoNonce: self.start.nonce, serviceNonce: nonce,
            suite: pair.suite)
    }

    /// What the service has to sign.
    var signedBytes: Bytes {
        IdentityProof.signedBytes(peerNonce: start.nonce, sessionID: sessionID, ephemeral: ephemeral.publicKey)
    }

    /// The proof of an identity, right in every respect.
    func proof(_ identity: ECPrivateKey) -> IdentityProof {
        IdentityProof(
            spki: identity.publicKey.spki, signature: identity.signature(over: signedBytes, with: .sha256),
            mac: IdentityProof.mac(identity.publicKey.spki, key: keys.serviceMAC, suite: pair.suite))
    }

    /// ServiceAuth with this plaintext.
    func serviceAuth(_ plaintext: Bytes) throws -> Bytes {
        let sealed = try SealedMessage.seal(
            plaintext, key: keys.serviceEncryption, sessionID: sessionID, suite: pair.suite)
        return ServiceAuthMessage(ephemeral: ephemeral.publicKey, nonce: nonce, sealed: sealed).encoded()
    }

    /// Status with this plaintext.
    func status(_ plaintext: Bytes, sessionID: Int32 = 0) throws -> Bytes {
        try SealedMessage.seal(plaintext, key: keys.serviceEncryption, sessionID: sessionID, suite: pair.suite)
            .encoded()
    }
}

/// A Pico that follows the protocol except where a test says otherwise.
struct ForgingPico {
    let pair: Pair
    let serviceAuth: ServiceAuthMessage
    let ephemeral: ECPrivateKey
    let nonce = Bytes(8..<16)
    let keys: PicoKeys
    var sessionID: Int32 = 0

    /// Begins a run with a verifier.
    init(_ pair: Pair, _ verifier: inout PicoVerifier) throws {
        self.pair = pair
        ephemeral = try TestSuite(seed: "forging pico").freshKey(on: pair.service.curve)
        let start = StartMessage(ephemeral: ephemeral.publicKey, nonce: nonce).encoded()
        serviceAuth = try ServiceAuthMessage.parse(
            verifier.receive(start: start, at: 0, suite: pair.suite), curves: pair.curves)
        keys = try PicoKeys.agree(
            own: ephemeral, peer: serviceAuth.ephemeral, picoNonce: nonce, serviceNonce: serviceAuth.nonce,
            suite: pair.suite)
    }

    func proof(_ identity: ECPrivateKey) -> IdentityProof {
        let signed = IdentityProof.signedBytes(
            peerNonce: serviceAuth.nonce, sessionID: sessionID, ephemeral: ephemeral.publicKey)
        return IdentityProof(
            spki: identity.publicKey.spki, signature: identity.signature(over: signed, with: .sha256),
            mac: IdentityProof.mac(identity.publicKey.spki, key: keys.picoMAC, suite: pair.suite))
    }

    func picoAuth(_ plaintext: Bytes) throws -> Bytes {
        try SealedMessage.seal(plaintext, key: keys.picoEncryption, sessionID: sessionID, suite: pair.suite).encoded()
    }

    /// The status byte of a Status.
    func statusByte(_ status: Bytes) throws -> UInt8? {
        try SealedMessage.parse(status).open(keys.serviceEncryption, suite: pair.suite).first
    }
}
