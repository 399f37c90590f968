import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico

/// The service's steps of a sign-in on P-256, without any network.
struct PicoHandshakes {
    private let count: Int
    private let suite = SwiftCryptoSuite()

    init(count: Int) { self.count = count }

    /// How many a second, in processor time; the wallet's steps are not counted.
    func perSecond() throws -> Double {
        let service = try SwiftCryptoSuite().freshKey(on: .p256)
        let identity = try SwiftCryptoSuite().freshKey(on: .p256)
        let commitment = PicoCommitment(of: service.publicKey, suite: suite)
        let address = try PicoAddress.parse(
            Bytes(text: "https://pico.example/channel/bench"), accepting: .rendezvous)
        let code = PicoAuthenticationCode(service: commitment, address: address)
        let pairing = PicoPairing(service: commitment, name: Bytes(text: "Bench"), identity: identity.publicKey)
        var seconds = 0.0
        for run in -10..<count {
            var (prover, start) = try PicoProver.authenticate(with: code, pairing: pairing, at: 0, suite: suite)
            let first = Self.processorSeconds
            var verifier = PicoVerifier(identity: service, purpose: .authentication, at: 0)
            let serviceAuth = try verifier.receive(start: start, at: 0, suite: suite)
            let second = Self.processorSeconds
            _ = try prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite)
            let picoAuth = try prover.answer(with: identity, extraData: [], at: 0, suite: suite)
            let third = Self.processorSeconds
            let claim = try verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
            let (status, _) = try verifier.accept(.paired(claim.identity), at: 0, suite: suite)
            let fourth = Self.processorSeconds
            _ = try prover.receive(status: status, at: 0, suite: suite)
            if run >= 0 { seconds += second - first + fourth - third }
        }
        return Double(count) / seconds
    }

    /// Processor time of this program, in seconds: nothing else of it runs by then, and other work hardly changes it.
    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
