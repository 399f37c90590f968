public import EllipticCurves
public import Encodings

/// The service's side of one run of SIGMA-I: pairing or authentication (section 4).
///
/// It takes Start and answers with ServiceAuth, takes PicoAuth, and ends with Status. It takes one Start: a new run is a
/// new verifier with a new ephemeral key and a new nonce (section 13, number 8). After any error nothing more is taken; if
/// the keys exist by then, `reject` still gives the one Status that tells a Pico no.
///
/// Times are milliseconds on any clock that only goes forward.
public struct PicoVerifier: Sendable {
    /// What a run is for.
    public enum Purpose: Sendable, Equatable {
        /// KP: any identity key is new and welcome.
        case pairing
        /// KA: only identity keys that are paired.
        case authentication
    }

    /// Why a Pico may come in.
    public enum Authorisation: Sendable, Equatable {
        /// The run is for pairing.
        case newPairing
        /// The key that is stored under the commitment of the claim.
        case paired(ECPublicKey)
    }

    /// The longest wait for the next message, in milliseconds: a person may be reading.
    public static let patience: Int64 = 60_000

    private let identity: ECPrivateKey
    private let purpose: Purpose
    private let curves: PicoCurves
    private let sessionID: Int32
    private var step = Step.waitingForStart
    private var deadline: Int64

    private enum Step {
        case waitingForStart
        case waitingForPico(Exchange)
        case waitingForDecision(PicoKeys, PicoClaim)
        case refusing(PicoKeys)
        case over
    }

    /// What a run has when ServiceAuth is sent.
    private struct Exchange {
        let keys: PicoKeys
        let peer: ECPublicKey
        let nonce: Bytes
    }

    /// A run that waits for Start.
    ///
    /// - Parameters:
    ///   - identity: the service's long-term key.
    ///   - curves: others than P-256 only if the service was marked as old. It answers on the curve of Start.
    ///   - sessionID: 0 unless no libpico has to come in; its Picos always send 0 (section 12, number 1).
    ///   - now: the code is shown from now on.
    ///   - lifetime: how long the code counts, in milliseconds.
    public init(
        identity: ECPrivateKey, purpose: Purpose, curves: PicoCurves = .current, sessionID: Int32 = 0, at now: Int64,
        lifetime: Int64 = 300_000
    ) {
        self.identity = identity
        self.purpose = purpose
        self.curves = curves
        self.sessionID = sessionID
        deadline = now + lifetime
    }

    /// Takes Start.
    ///
    /// - Parameter message: without its length.
    /// - Returns: ServiceAuth to be sent.
    /// - Throws: `timedOut`, `malformed`, `tooLarge`, `unsupportedVersion`, `unsupportedCurve`, `invalidKey`, `outOfOrder`
    ///   or `suiteFailed`. Then answer nothing.
    public mutating func receive<Suite: PicoCryptoSuite>(
        start message: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> Bytes {
        guard case .waitingForStart = try leave(now) else { throw .outOfOrder }
        guard curves.allows(identity.curve) else { throw .unsupportedCurve }
        let start = try StartMessage.parse(message, curves: curves)
        let ephemeral = try suite.freshKey(on: start.ephemeral.curve)
        let nonce = try suite.fresh(PicoLimits.ownNonce)
        let keys = try PicoKeys.agree(
            own: ephemeral, peer: start.ephemeral, picoNonce: start.nonce, serviceNonce: nonce, suite: suite)
        let signed = IdentityProof.signedBytes(
            peerNonce: start.nonce, sessionID: sessionID, ephemeral: ephemeral.publicKey)
        guard let signature = suite.signature(over: signed, with: identity) else { throw .suiteFailed }
        let spki = identity.publicKey.spki
        let proof = IdentityProof(
            spki: spki, signature: signature, mac: IdentityProof.mac(spki, key: keys.serviceMAC, suite: suite))
        let sealed = try SealedMessage.seal(
            proof.encoded(), key: keys.serviceEncryption, sessionID: sessionID, suite: suite)
        step = .waitingForPico(Exchange(keys: keys, peer: start.ephemeral, nonce: nonce))
        deadline = now + Self.patience
        return ServiceAuthMessage(ephemeral: ephemeral.publicKey, nonce: nonce, sealed: sealed).encoded()
    }

    /// Takes PicoAuth.
    ///
    /// What fails before the signature depends only on what the sender knows anyway. Signature and code are both computed
    /// before either decides (section 13, number 14).
    ///
    /// - Returns: who it is. Decide, then `accept` or `reject`.
    /// - Throws: `malformed`, `tooLarge`, `wrongSession`, `cannotOpen`, `unsupportedCurve`, `invalidKey`, `invalidSignature` or
    ///   `invalidMAC`, and then `reject`; `timedOut` or `outOfOrder`, and then answer nothing.
    public mutating func receive<Suite: PicoCryptoSuite>(
        picoAuth message: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> PicoClaim {
        guard case .waitingForPico(let exchange) = try leave(now) else { throw .outOfOrder }
        step = .refusing(exchange.keys)
        let claim = try claim(message, exchange, suite)
        step = .waitingForDecision(exchange.keys, claim)
        deadline = now + Self.patience
        return claim
    }

    private func claim<Suite: PicoCryptoSuite>(
        _ message: Bytes, _ exchange: Exchange, _ suite: Suite
    ) throws(PicoError) -> PicoClaim {
        let sealed = try SealedMessage.parse(message)
        guard sealed.sessionID == sessionID else { throw .wrongSession }
        var plaintext = try sealed.open(exchange.keys.picoEncryption, suite: suite)
        defer { plaintext.wipe() }
        var elements = PicoElements(plaintext)
        let proof = try IdentityProof(&elements)
        let extraData = try elements.next(PicoLimits.extraData)
        try elements.finish()
        let key = try curves.publicKey(spki: proof.spki)
        guard key != identity.publicKey else { throw .invalidKey }
        try proof.verify(
            key,
            signed: IdentityProof.signedBytes(
                peerNonce: exchange.nonce, sessionID: sessionID, ephemeral: exchange.peer),
            macKey: exchange.keys.picoMAC, suite: suite)
        return PicoClaim(identity: key, commitment: PicoCommitment(of: key, suite: suite), extraData: extraData)
    }

    /// Lets the Pico in.
    ///
    /// - Parameters:
    ///   - authorisation: why. For a paired key the whole key is compared, not only its commitment.
    ///   - continuous: whether continuous authentication follows.
    ///   - extraData: of a pairing `PairingSecret.encoded`, else usually nothing.
    /// - Returns: Status to be sent, and the session if there is one.
    /// - Throws: `notAuthorised`, and then `reject`; `tooLarge` above 4,096 bytes, `timedOut`, `outOfOrder` or
    ///   `suiteFailed`.
    public mutating func accept<Suite: PicoCryptoSuite>(
        _ authorisation: Authorisation, continuous: Bool = false, extraData: Bytes = [], at now: Int64, suite: Suite
    ) throws(PicoError) -> (status: Bytes, session: PicoSession?) {
        guard case .waitingForDecision(let keys, let claim) = try leave(now) else { throw .outOfOrder }
        step = .refusing(keys)
        switch (authorisation, purpose) {
        case (.newPairing, .pairing): break
        case (.paired(let key), .authentication):
            guard key == claim.identity else { throw .notAuthorised }
        case (.newPairing, .authentication), (.paired, .pairing): throw .notAuthorised
        }
        guard extraData.count <= PicoLimits.extraData else { throw .tooLarge }
        let status = PicoStatus(code: continuous ? .continuous : .accepted, extraData: extraData)
        let message = try seal(status, keys, suite)
        step = .over
        return (message, continuous ? PicoSession(sessionID: sessionID, key: keys.shared) : nil)
    }

    /// Refuses the Pico, for whatever reason: always the same Status -1, without extra data.
    ///
    /// - Returns: Status to be sent.
    /// - Throws: `outOfOrder` when there are no keys yet, or Status was sent; `suiteFailed`.
    public mutating func reject<Suite: PicoCryptoSuite>(suite: Suite) throws(PicoError) -> Bytes {
        let left = step
        step = .over
        switch left {
        case .waitingForDecision(let keys, _), .refusing(let keys):
            return try seal(PicoStatus(code: .rejected, extraData: []), keys, suite)
        case .waitingForStart, .waitingForPico, .over: throw .outOfOrder
        }
    }

    private func seal<Suite: PicoCryptoSuite>(
        _ status: PicoStatus, _ keys: PicoKeys, _ suite: Suite
    ) throws(PicoError) -> Bytes {
        var plaintext = status.encoded()
        defer { plaintext.wipe() }
        return try SealedMessage.seal(plaintext, key: keys.serviceEncryption, sessionID: sessionID, suite: suite)
            .encoded()
    }

    /// Leaves the step for good: only success sets the next one.
    private mutating func leave(_ now: Int64) throws(PicoError) -> Step {
        let left = step
        step = .over
        switch left {
        case .over: return left
        case .waitingForStart, .waitingForPico, .waitingForDecision, .refusing:
            guard now <= deadline else { throw .timedOut }
            return left
        }
    }
}
