import CryptoProvider
import EllipticCurves
import Encodings
import Pico
import Wallet

/// A service on one curve and a wallet that pairs and signs in with it, each time over a channel of its own.
struct PicoBenchPeer {
    let curve: PicoCurveName
    private let port: Int
    private let service: ECPrivateKey
    private let identity: ECPrivateKey
    private let suite = SwiftCryptoSuite()

    init(curve: PicoCurveName, port: Int) throws {
        self.curve = curve
        self.port = port
        service = try SwiftCryptoSuite().freshKey(on: curve.curve)
        identity = try SwiftCryptoSuite().freshKey(on: curve.curve)
    }

    /// Pairs, which includes making a key.
    ///
    /// - Returns: milliseconds.
    func pair() async throws -> Double {
        let address = try address()
        let code = try PicoPairingCode(name: Bytes(text: "Bench"), address: address, identity: service, suite: suite)
        return try await time(address, .pairing) { run in
            let key = try SwiftCryptoSuite().freshKey(on: curve.curve)
            _ = try await run.pair(with: code, curves: curve.curves, identity: key)
        }
    }

    /// Signs in.
    ///
    /// - Returns: milliseconds.
    func signIn() async throws -> Double {
        let address = try address()
        let commitment = PicoCommitment(of: service.publicKey, suite: suite)
        let code = PicoAuthenticationCode(service: commitment, address: address)
        let pairing = PicoPairing(
            service: commitment, name: Bytes(text: "Bench"), identity: identity.publicKey, curves: curve.curves)
        return try await time(address, .authentication) { run in
            _ = try await run.signIn(with: code, pairing: pairing, identity: identity, extraData: [])
        }
    }

    private func address() throws -> PicoAddress {
        try PicoAddress.parse(
            Bytes(text: "http://127.0.0.1:\(port)/channel/\(RandomBytes.make(16).hex)"), accepting: .rendezvous)
    }

    private func time(
        _ address: PicoAddress, _ purpose: PicoVerifier.Purpose, _ work: (PicoProverRun) async throws -> Void
    ) async throws -> Double {
        let channel = RendezvousClient(address)
        async let admission = PicoVerifierRun(over: channel).admit(
            identity: service, purpose: purpose, curves: curve.curves
        ) { claim in
            .accept(
                purpose == .pairing ? .newPairing : .paired(claim.identity), continuous: false, extraData: [])
        }
        let start = ContinuousClock.now
        try await work(PicoProverRun(over: channel))
        let time = (ContinuousClock.now - start).components
        _ = try await admission
        return Double(time.seconds) * 1_000 + Double(time.attoseconds) / 1e15
    }
}
