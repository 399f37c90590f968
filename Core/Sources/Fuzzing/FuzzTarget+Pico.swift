import EllipticCurves
import Encodings
import Pico
import PicoBrowser

extension FuzzTarget {
    static let pico = [
        FuzzTarget("pico-code", maximumLength: 2048, picoCode),
        FuzzTarget("pico-service", maximumLength: 4096, picoService),
        FuzzTarget("pico-prover", maximumLength: 4096, picoProver),
        FuzzTarget("pico-session", maximumLength: 2048, picoSession),
        FuzzTarget("pico-stored", maximumLength: 2048, picoStored),
        FuzzTarget("pico-accounts", maximumLength: 4096, picoAccounts),
        FuzzTarget("pico-module", maximumLength: 8192, picoModule),
    ]

    private static func picoCode(_ input: Bytes) throws(BrokenPromise) {
        let schemes = PicoAddress.Scheme.allCases
        func read<Suite: PicoCryptoSuite>(_ text: Bytes, _ suite: Suite) -> PicoCode? {
            try? PicoCode.read(text, curves: .old, accepting: schemes, suite: suite)
        }
        if let address = try? PicoAddress.parse(input, accepting: schemes) {
            try expect(address.text == input && !address.host.isEmpty, "an address keeps its text")
        }
        guard let code = read(input, LenientSuite.real) else { return }
        switch code {
        case .pairing(let pairing):
            try expect(read(pairing.encoded(), LenientSuite.real) == code, "what is written is read")
            try expect(read(input, RefusingSuite()) == nil, "no pairing code counts unsigned")
            try expect(pairing.name.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "names hold no controls")
        case .authentication(let authentication):
            try expect(read(authentication.encoded(), LenientSuite.real) == code, "what is written is read")
        case .lensPairing, .lensAuthentication, .terminalPairing, .delegation:
            try expect(code.decision != .run, "nothing is done with it")
        }
    }

    /// Start and PicoAuth, as they come to a service.
    private static func picoService(_ input: Bytes) throws(BrokenPromise) {
        if let message = try? PicoFrame.decode(input) {
            try expect(PicoFrame.encode(message) == input, "one frame for one message")
        }
        guard let identity = try? ECPrivateKey(.p256, scalar: Bytes(repeating: 2, count: 32)) else { return }
        var parts = Parts(input)
        let start = parts.next()
        let picoAuth = parts.rest()
        func claim<Suite: PicoCryptoSuite>(_ suite: Suite) throws(BrokenPromise) -> PicoClaim? {
            var verifier = PicoVerifier(identity: identity, purpose: .pairing, curves: .old, at: 0)
            guard let answer = try? verifier.receive(start: start, at: 0, suite: suite) else {
                try expect((try? verifier.reject(suite: suite)) == nil, "a refused Start is answered with nothing")
                return nil
            }
            try expect((try? JSON.parse(answer)) != nil, "an answer is JSON")
            guard let claim = try? verifier.receive(picoAuth: picoAuth, at: 0, suite: suite) else {
                try expect((try? verifier.reject(suite: suite)) != nil, "a refused PicoAuth gets a status")
                return nil
            }
            try expect(claim.identity != identity.publicKey, "nobody is the service itself")
            return claim
        }
        try expect(try claim(RefusingSuite()) == nil, "nobody comes in unsigned")
        _ = try claim(LenientSuite.real)
    }

    /// ServiceAuth and Status, as they come to a Pico.
    private static func picoProver(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let serviceAuth = parts.next()
        let commitment = parts.take(32)
        let status = parts.rest()
        guard let identity = try? ECPrivateKey(.p256, scalar: Bytes(repeating: 2, count: 32)),
            let service = PicoCommitment(bytes: commitment),
            let address = try? PicoAddress.parse(Bytes(text: "http://a/channel/a"), accepting: .rendezvous)
        else { return }
        let pairing = PicoPairing(service: service, name: [], identity: identity.publicKey, curves: .old)
        let code = PicoAuthenticationCode(service: service, address: address)
        func meet<Suite: PicoCryptoSuite>(_ suite: Suite) -> (PicoProver, VerifiedPicoService)? {
            guard var prover = try? PicoProver.authenticate(with: code, pairing: pairing, at: 0, suite: suite).prover,
                let met = try? prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite)
            else { return nil }
            return (prover, met)
        }
        try expect(meet(RefusingSuite()) == nil, "no service proves itself unsigned")
        let suite = LenientSuite.real
        guard let (waiting, met) = meet(suite) else { return }
        try expect(PicoCommitment(of: met.publicKey, suite: suite) == service, "it is the service of the code")
        var prover = waiting
        guard (try? prover.answer(with: identity, extraData: [], at: 0, suite: suite)) != nil else { return }
        guard let outcome = try? prover.receive(status: status, at: 0, suite: suite) else { return }
        try expect(outcome.extraData.count <= PicoLimits.extraData, "extra data has a limit")
    }

    /// Messages of a session, as they come to each side by turns.
    private static func picoSession(_ input: Bytes) throws(BrokenPromise) {
        let suite = LenientSuite.real
        guard let session = try? PicoSession(sessionID: 0, key: Bytes(repeating: 0, count: 16)),
            var prover = try? PicoContinuousProver(session, at: 0, suite: suite),
            var verifier = try? PicoContinuousVerifier(session, at: 0, suite: suite)
        else { return }
        var parts = Parts(input)
        for _ in 0..<6 {
            let message = parts.next()
            if (try? verifier.receive(message, at: 0, suite: suite)) != nil {
                try expect((try? verifier.receive(message, at: 0, suite: suite)) == nil, "a message counts once")
                try expect(verifier.state == .failed, "what comes twice ends the session")
            }
            guard (try? prover.send(.active, at: 0, suite: suite)) != nil else { continue }
            guard let answer = try? prover.receive(message, at: 0, suite: suite) else {
                try expect(prover.state == .failed, "an error ends the session")
                continue
            }
            try expect((answer.sendAt == nil) == answer.state.isOver, "after the end nothing is sent")
        }
    }

    /// Everything that is stored or handed on.
    private static func picoStored(_ input: Bytes) throws(BrokenPromise) {
        let (suite, secret) = (LenientSuite.real, Bytes(repeating: 0, count: PicoBackup.secretLength))
        if let token = try? PicoAuthToken.parse(input) {
            try expect(token.encoded() == input, "one spelling for one token")
        }
        let pairing = PairingSecret.read(input)
        if pairing.name != nil {
            try expect(PairingSecret.read(pairing.encoded()).data == pairing.data, "a secret keeps its bytes")
        } else {
            try expect(pairing.data == input, "a bare secret is kept whole")
        }
        if let password = try? SealedLoginSecret.open(input, key: Bytes(repeating: 0, count: 16), suite: suite) {
            try expect(password.count < input.count, "a password is in its sealed form")
        }
        if let database = try? PicoBackup.open(input, secret: secret, suite: suite) {
            let again = try? PicoBackup.seal(database, secret: secret, suite: suite)
            let opened = again.flatMap { try? PicoBackup.open($0, secret: secret, suite: suite) }
            try expect(opened == database, "what is written is read")
        }
        let answer = try? RendezvousAnswer.read(
            statusCode: 200, contentType: Bytes(text: "application/json"), body: input)
        if case .data = answer { try expect(false, "status is no message") }
    }

    /// A backup of accounts: the file, what is behind a seal that has held, and the phrase that somebody types.
    private static func picoAccounts(_ input: Bytes) throws(BrokenPromise) {
        if let file = try? AccountBackupFile(input) {
            try expect((try? AccountBackupFile(file.encoded)) == file, "what is written is read")
            try expect((try? JSON.parse(AccountBackupFile.purpose(of: file.derivation))) != nil, "a purpose is JSON")
        }
        if let accounts = try? BackedUpAccount.parse(input) {
            let again = (try? BackedUpAccount.encoded(accounts)).flatMap { try? BackedUpAccount.parse($0) }
            try expect(again == accounts, "accounts that were read are written and read")
            try expect(accounts.count <= BackedUpAccount.maximumCount, "accounts have a limit")
            for account in accounts {
                try expect(account.key.count == account.curve.keyLength, "a key is as long as its curve's order")
                try expect(BackedUpAccount.isName(account.name), "a name can be shown")
            }
        }
        guard let password = AccountBackupFile.password(of: input) else { return }
        try expect(password.count == AccountBackupFile.phraseLength, "a phrase is whole")
        try expect(AccountBackupFile.password(of: password) == password, "one spelling for one phrase")
    }

    /// A call of a page, as it travels through the memory of the module for Pico.
    private static func picoModule(_ input: Bytes) throws(BrokenPromise) {
        try checkAnswer(PicoBrowser.answer(input))
    }
}

/// Seals with a tag of zeros and gives no randomness, so that a fuzzer gets behind seals and codes.
extension LenientSuite: PicoCryptoSuite {
    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? { plaintext + Bytes(repeating: 0, count: 16) }
    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? { Array(sealed.dropLast(16)) }
    func randomBytes(_ count: Int) -> Bytes { Bytes(repeating: 1, count: count) }
    func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes { Bytes(repeating: 0, count: 32) }
    func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: ECPublicKey) -> Bool { true }
}

/// Opens everything, and takes no signature for good.
extension RefusingSuite: PicoCryptoSuite {
    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? { plaintext + Bytes(repeating: 0, count: 16) }
    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? { Array(sealed.dropLast(16)) }
    func randomBytes(_ count: Int) -> Bytes { Bytes(repeating: 1, count: count) }
    func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes { Bytes(repeating: 0, count: 32) }
    func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: ECPublicKey) -> Bool { false }
}
