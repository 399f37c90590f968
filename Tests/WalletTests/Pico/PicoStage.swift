import CryptoProvider
import EllipticCurves
import Encodings
import Pico

@testable import Wallet

/// A service and its channel in memory.
struct PicoStage {
    let suite = SwiftCryptoSuite()
    let rendezvous = MemoryRendezvous()
    let time = TestClock()
    let service: ECPrivateKey
    let curves: PicoCurves
    let address: PicoAddress

    init(on curve: EllipticCurve = .p256, service: ECPrivateKey? = nil) throws {
        self.service = try service ?? ECPrivateKey.generate(on: curve, randomBytes: { RandomBytes.make($0) })
        curves = PicoCurveName(curve).curves
        address = try PicoAddress.parse(Bytes(text: "https://pico.example/channel/1"), accepting: .rendezvous)
    }

    var clock: PicoClock { time.clock }
    var channel: MemoryChannel { MemoryChannel(rendezvous: rendezvous, clock: clock) }

    func pairingCode(named name: String = "Example") throws -> PicoPairingCode {
        try PicoPairingCode(name: Bytes(text: name), address: address, identity: service, suite: suite)
    }

    var code: PicoAuthenticationCode {
        PicoAuthenticationCode(service: PicoCommitment(of: service.publicKey, suite: suite), address: address)
    }

    /// The service's side of a run.
    ///
    /// - Parameters:
    ///   - paired: the key that may come in; none to pair.
    ///   - identity: what the service has instead of the key in its code.
    func admit(
        paired: ECPublicKey? = nil, identity: ECPrivateKey? = nil, continuous: Bool = false, extraData: Bytes = []
    ) async throws(PicoRunError) -> PicoAdmission {
        try await PicoVerifierRun(over: channel, clock: clock).admit(
            identity: identity ?? service, purpose: paired == nil ? .pairing : .authentication, curves: curves
        ) { claim throws(PicoRunError) in
            guard let paired else { return .accept(.newPairing, continuous: continuous, extraData: extraData) }
            return claim.identity == paired
                ? .accept(.paired(paired), continuous: continuous, extraData: extraData) : .refuse
        }
    }
}

/// What became of something that may throw.
///
/// - Parameter time: runs freely after a failure, so that the other side does not wait for this one.
func outcome<Value: Sendable>(
    freeing time: TestClock? = nil, _ work: () async throws -> Value
) async -> Result<Value, any Error> {
    do {
        return .success(try await work())
    } catch {
        time?.runFreely()
        return .failure(error)
    }
}

extension Result where Failure == any Error {
    /// Whether the other side has gone: it closed the channel, or nobody was there to read that.
    var hasLostPeer: Bool { runError == .channelClosed || runError == .noAnswer }

    /// The error of a run, if it is one.
    var runError: PicoRunError? {
        guard case .failure(let error) = self else { return nil }
        return error as? PicoRunError
    }
}
