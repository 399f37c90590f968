public import EllipticCurves
public import Encodings

/// The Pico's side of one run of SIGMA-I: pairing or authentication (section 4).
///
/// It begins, takes ServiceAuth, waits for a person's consent, answers with PicoAuth and takes Status. The answer holds
/// the person's identity and secret, so it exists only after every check of section 4.3. After any error the run is over
/// and takes nothing more. Ephemeral key and nonce are made here and used once.
///
/// Times are milliseconds on any clock that only goes forward.
public struct PicoProver: Sendable {
    /// The longest wait for the next message, or for consent, in milliseconds.
    public static let patience: Int64 = 60_000

    private var step: Step
    private var deadline: Int64

    private enum Step {
        case waitingForService(Beginning)
        case waitingForConsent(Consent)
        case waitingForStatus(PicoKeys, Int32)
        case over
    }

    /// What a run has before the service answers.
    private struct Beginning {
        let target: ProverTarget
        let ephemeral: ECPrivateKey
        let nonce: Bytes
    }

    /// What a run has when the service is verified.
    private struct Consent {
        let target: ProverTarget
        let service: VerifiedPicoService
        let keys: PicoKeys
        let sessionID: Int32
    }

    /// Begins to pair with the service of a code.
    ///
    /// - Parameters:
    ///   - code: read and confirmed by the person.
    ///   - curves: others than P-256 only for a service that was marked as old.
    /// - Returns: the prover, and Start to be sent.
    /// - Throws: `unsupportedCurve` or `suiteFailed`.
    public static func pair<Suite: PicoCryptoSuite>(
        with code: PicoPairingCode, curves: PicoCurves = .current, at now: Int64, suite: Suite
    ) throws(PicoError) -> (prover: PicoProver, start: Bytes) {
        try begin(ProverTarget(code, curves: curves, suite: suite), now, suite)
    }

    /// Begins to sign in to the service of a code.
    ///
    /// - Parameters:
    ///   - code: just scanned.
    ///   - pairing: the one that the person chose among those for the commitment of the code.
    /// - Returns: the prover, and Start to be sent.
    /// - Throws: `wrongService` if the pairing is with another service, `unsupportedCurve` or `suiteFailed`.
    public static func authenticate<Suite: PicoCryptoSuite>(
        with code: PicoAuthenticationCode, pairing: PicoPairing, at now: Int64, suite: Suite
    ) throws(PicoError) -> (prover: PicoProver, start: Bytes) {
        guard code.service == pairing.service else { throw .wrongService }
        return try begin(ProverTarget(code, pairing), now, suite)
    }

    private static func begin<Suite: PicoCryptoSuite>(
        _ target: ProverTarget, _ now: Int64, _ suite: Suite
    ) throws(PicoError) -> (prover: PicoProver, start: Bytes) {
        guard target.curves.allows(target.curve) else { throw .unsupportedCurve }
        let ephemeral = try suite.freshKey(on: target.curve)
        let nonce = try suite.fresh(PicoLimits.ownNonce)
        let beginning = Beginning(target: target, ephemeral: ephemeral, nonce: nonce)
        let prover = PicoProver(step: .waitingForService(beginning), deadline: now + patience)
        return (prover, StartMessage(ephemeral: ephemeral.publicKey, nonce: nonce).encoded())
    }

    /// Takes ServiceAuth and checks it, in the order of section 4.3.
    ///
    /// - Parameter message: without its length.
    /// - Returns: the service, to be shown to the person.
    /// - Throws: `timedOut`, `malformed`, `tooLarge`, `unsupportedCurve`, `invalidKey`, `cannotOpen`, `wrongService`,
    ///   `invalidSignature`, `invalidMAC`, `outOfOrder` or `suiteFailed`. Then send nothing more.
    public mutating func receive<Suite: PicoCryptoSuite>(
        serviceAuth message: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> VerifiedPicoService {
        guard case .waitingForService(let beginning) = try leave(now) else { throw .outOfOrder }
        let target = beginning.target
        let ephemeral = beginning.ephemeral
        let sent = try ServiceAuthMessage.parse(message, curves: target.curves)
        let keys = try PicoKeys.agree(
            own: ephemeral, peer: sent.ephemeral, picoNonce: beginning.nonce, serviceNonce: sent.nonce, suite: suite)
        var elements = PicoElements(try sent.sealed.open(keys.serviceEncryption, suite: suite))
        let proof = try IdentityProof(&elements)
        try elements.finish()
        let key = try target.identity(proof.spki, suite: suite)
        let sessionID = sent.sealed.sessionID
        try proof.verify(
            key,
            signed: IdentityProof.signedBytes(
                peerNonce: beginning.nonce, sessionID: sessionID, ephemeral: sent.ephemeral),
            macKey: keys.serviceMAC, suite: suite)
        let service = VerifiedPicoService(
            name: target.name, host: target.host, publicKey: key, commitment: target.commitment,
            bytesToSign: IdentityProof.signedBytes(
                peerNonce: sent.nonce, sessionID: sessionID, ephemeral: ephemeral.publicKey))
        step = .waitingForConsent(
            Consent(target: target, service: service, keys: keys, sessionID: sessionID))
        deadline = now + Self.patience
        return service
    }

    /// Makes PicoAuth with a signature that was made elsewhere, where the key is.
    ///
    /// - Parameters:
    ///   - identity: the Pico's identity key: a new one to pair, the pairing's to sign in.
    ///   - signature: over `VerifiedPicoService.bytesToSign`, DER.
    ///   - extraData: of a pairing a Bluetooth address or nothing, of an authentication what is stored, byte for byte.
    /// - Returns: PicoAuth to be sent.
    /// - Throws: `timedOut`, `tooLarge` above 4,096 bytes of extra data, `unsupportedCurve`, `invalidKey` for another
    ///   pairing's key or the service's own, `invalidSignature`, `outOfOrder` or `suiteFailed`.
    public mutating func answer<Suite: PicoCryptoSuite>(
        identity: ECPublicKey, signature: Bytes, extraData: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> Bytes {
        guard case .waitingForConsent(let run) = try leave(now) else { throw .outOfOrder }
        guard extraData.count <= PicoLimits.extraData else { throw .tooLarge }
        guard run.target.curves.allows(identity.curve) else { throw .unsupportedCurve }
        guard identity == run.target.ownIdentity ?? identity, identity != run.service.publicKey else {
            throw .invalidKey
        }
        guard suite.isValidSignature(signature, over: run.service.bytesToSign, publicKey: identity) else {
            throw .invalidSignature
        }
        let spki = identity.spki
        let proof = IdentityProof(
            spki: spki, signature: signature, mac: IdentityProof.mac(spki, key: run.keys.picoMAC, suite: suite))
        var plaintext = proof.encoded() + PicoElements.write(extraData)
        defer { plaintext.wipe() }
        let sealed = try SealedMessage.seal(
            plaintext, key: run.keys.picoEncryption, sessionID: run.sessionID, suite: suite)
        step = .waitingForStatus(run.keys, run.sessionID)
        deadline = now + Self.patience
        return sealed.encoded()
    }

    /// The same with the key at hand.
    public mutating func answer<Suite: PicoCryptoSuite>(
        with identity: ECPrivateKey, extraData: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> Bytes {
        guard case .waitingForConsent(let run) = step else {
            step = .over
            throw .outOfOrder
        }
        guard let signature = suite.signature(over: run.service.bytesToSign, with: identity) else {
            step = .over
            throw .suiteFailed
        }
        return try answer(
            identity: identity.publicKey, signature: signature, extraData: extraData, at: now, suite: suite)
    }

    /// Takes Status.
    ///
    /// Its session id is not authenticated and libpico may put another number there, so it is ignored (section 4.4). An old
    /// service answers a PicoAuth that it refuses with silence; then the time is over one day.
    ///
    /// - Returns: what a service that accepted us says.
    /// - Throws: `rejected` for every status but 0 and 1, `timedOut`, `malformed`, `tooLarge`, `cannotOpen` or
    ///   `outOfOrder`.
    public mutating func receive<Suite: PicoCryptoSuite>(
        status message: Bytes, at now: Int64, suite: Suite
    ) throws(PicoError) -> PicoOutcome {
        guard case .waitingForStatus(let keys, let sessionID) = try leave(now) else { throw .outOfOrder }
        var plaintext = try SealedMessage.parse(message).open(keys.serviceEncryption, suite: suite)
        defer { plaintext.wipe() }
        let status = try PicoStatus.parse(plaintext)
        let session = status.code == .continuous ? PicoSession(sessionID: sessionID, key: keys.shared) : nil
        return PicoOutcome(session: session, extraData: status.extraData)
    }

    /// Leaves the step for good: only success sets the next one.
    private mutating func leave(_ now: Int64) throws(PicoError) -> Step {
        let left = step
        step = .over
        if case .over = left { return left }
        guard now <= deadline else { throw .timedOut }
        return left
    }
}
