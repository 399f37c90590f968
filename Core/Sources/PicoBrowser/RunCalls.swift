import BrowserCalls
import EllipticCurves
import Encodings
import Pico

extension PicoBrowser {
    /// One run of the prover, from its beginning to where it is now.
    static let runs = [
        Function(
            "run",
            ["curve", "ephemeral", "random", "times", "received", "name", "key", "signature", "extra", "answers"],
            blobs: 1...1, run)
    ]

    /// The code as a blob, with all that the run has had so far → the next step.
    ///
    /// - `curve`: of the pairing, or of the code that the person pairs with and whose service they have marked as old; P-256 if
    ///   it is left out. No key of the run may be on another one.
    /// - `ephemeral`: the public half of the run's own key, which WebCrypto made and holds; on P-192 and secp192k1 there is
    ///   none, and the key is made of `random`.
    /// - `random`: at least 96 random bytes, used for this run alone. `times`: in milliseconds on a clock that only goes
    ///   forward, when the run began, when each message came, and between them when the signature was made.
    /// - `key`, `name`: of the pairing, for a code to sign in with. To pair, the new key comes with the signature.
    /// - `received`: the service's messages, without their length. `signature`: r and s, over the bytes of the step `sign`.
    ///
    /// The steps: `{step: "need", operation, key, iv, bytes}`, which is to be computed and brought in `answers`: to `seal` or
    /// `open` with AES-GCM, or to `agree` on a secret with the peer's point in `bytes` (`key` is the own one, `iv` is empty);
    /// `{step: "send", message}`; `{step: "sign", name, host, commitment, fingerprint, bytes}`;
    /// `{step: "done", session, account, secret}`, where `session` is `{id, key}` if the service wants more of it.
    private static func run(_ call: Call) throws(BrowserError) -> Answer {
        let history = try History(call)
        let suite = try ReplaySuite(call, ephemeral: history.ephemeral)
        do throws(PicoError) {
            return try steps(history, suite)
        } catch {
            if let need = suite.need { return need }
            throw BrowserError(error)
        }
    }

    private static func steps(_ history: History, _ suite: ReplaySuite) throws(PicoError) -> Answer {
        var (prover, start) = try begin(history, suite)
        guard history.received.count > 0 else { return send(start) }
        let service = try prover.receive(serviceAuth: history.received[0], at: history.times[1], suite: suite)
        guard let signature = history.signature, let key = history.key else {
            return Answer([
                ("step", .literal("sign")), ("name", .string(service.name)), ("host", .string(service.host)),
                ("commitment", .base64URL(service.commitment.bytes)),
                ("fingerprint", .string(service.commitment.fingerprint)), ("bytes", .base64URL(service.bytesToSign)),
            ])
        }
        let picoAuth = try prover.answer(
            identity: key, signature: signature, extraData: history.extra, at: history.times[2], suite: suite)
        guard history.received.count > 1 else { return send(picoAuth) }
        let outcome = try prover.receive(status: history.received[1], at: history.times[3], suite: suite)
        let secret = PairingSecret.read(outcome.extraData)
        return Answer([
            ("step", .literal("done")), ("session", outcome.session.map(json) ?? .null),
            ("account", secret.name.map { .string($0) } ?? .null), ("secret", .base64URL(secret.data)),
        ])
    }

    private static func begin(
        _ history: History, _ suite: ReplaySuite
    ) throws(PicoError) -> (prover: PicoProver, start: Bytes) {
        let curves = history.curve.allowed
        switch try PicoCode.read(history.code, curves: curves, suite: suite) {
        case .pairing(let code):
            return try PicoProver.pair(with: code, curves: curves, at: history.times[0], suite: suite)
        case .authentication(let code):
            guard let key = history.key else { throw .notAuthorised }
            let pairing = PicoPairing(service: code.service, name: history.name, identity: key, curves: curves)
            return try PicoProver.authenticate(with: code, pairing: pairing, at: history.times[0], suite: suite)
        case .lensPairing, .lensAuthentication, .terminalPairing, .delegation: throw .unsupportedCode
        }
    }

    private static func send(_ message: Bytes) -> Answer {
        Answer([("step", .literal("send")), ("message", .base64URL(message))])
    }

    private static func json(_ session: PicoSession) -> JSON {
        .members([("id", .integer(Int64(session.sessionID))), ("key", .base64URL(session.secretKey))])
    }
}

/// All that a run has had so far.
private struct History {
    let code: Bytes
    let curve: EllipticCurve
    let ephemeral: ECPublicKey?
    let times: [Int64]
    let received: [Bytes]
    let name: Bytes
    let key: ECPublicKey?
    /// DER, as the protocol wants it.
    let signature: Bytes?
    let extra: Bytes

    init(_ call: Call) throws(BrowserError) {
        code = call.blobs[0]
        let curve = try call.curve()
        self.curve = curve
        ephemeral = call.optional("ephemeral") == nil ? nil : try call.publicKey("ephemeral", on: curve)
        guard (ephemeral != nil) == curve.isOfWebCrypto else {
            throw BrowserError(
                "missing_member", member: "ephemeral", "is missing, or its curve is none of WebCrypto's.")
        }
        name = try call.optionalText("name", maximum: PicoLimits.name) ?? []
        key = call.optional("key") == nil ? nil : try call.publicKey("key", on: curve)
        extra = call.optional("extra") == nil ? [] : try call.bytes("extra")
        var received: [Bytes] = []
        for message in try call.array("received", maximumCount: 2) {
            received.append(try Call.messageBytes(message, "received"))
        }
        self.received = received
        signature = try Self.signature(call, curve)
        guard received.count < 2 || (signature != nil && key != nil) else {
            throw BrowserError("missing_member", member: "signature", "or the key is missing.")
        }
        times = try Self.times(call, count: 1 + received.count + (signature == nil ? 0 : 1))
    }

    private static func signature(_ call: Call, _ curve: EllipticCurve) throws(BrowserError) -> Bytes? {
        guard call.optional("signature") != nil else { return nil }
        guard let der = curve.der(fromRaw: try call.bytes("signature", count: 2 * curve.byteCount)) else {
            throw BrowserError("wrong_type", member: "signature", "is no signature.")
        }
        return der
    }

    private static func times(_ call: Call, count: Int) throws(BrowserError) -> [Int64] {
        var times: [Int64] = []
        for time in try call.array("times", maximumCount: 4) {
            guard let number = time.integer, number >= times.last ?? 0, number <= 1 << 53 else {
                throw BrowserError("wrong_type", member: "times", "does not go forward.")
            }
            times.append(number)
        }
        guard times.count == count else {
            throw BrowserError("wrong_length", member: "times", "has not one time for each event.")
        }
        return times
    }
}
