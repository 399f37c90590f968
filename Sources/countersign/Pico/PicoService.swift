import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Wallet

/// A service with its key in a file and its users in another: what `pico-service` and the PAM module share.
struct PicoService {
    let key: ECPrivateKey
    let users: PicoServicePairings
    /// Whether the wallet is asked to stay.
    let continuous: Bool
    /// How long a code counts, in seconds.
    let lifetime: Int
    /// The longest wait for a message after the first, in milliseconds.
    var patience = PicoVerifier.patience

    private static var suite: SwiftCryptoSuite { SwiftCryptoSuite() }

    /// The key in a file, which is made at the first use.
    ///
    /// - Parameter curve: the curve that it has to be on, or `nil` for any; a new one is on P-256 then.
    static func key(at path: String, curve: PicoCurveName? = nil) throws -> ECPrivateKey {
        if !FileManager.default.fileExists(atPath: path) {
            let new = PicoPrivateKeyFile.encode(try suite.freshKey(on: (curve ?? .p256).curve))
            // Of several commands that find none one makes it, and all have that one.
            try AtomicFile.whileLocked(path) { () throws(WalletError) in
                guard !FileManager.default.fileExists(atPath: path) else { return }
                try AtomicFile.write(new, to: path)
            }
        }
        guard let key = PicoPrivateKeyFile.decode(try Files.read(path)) else {
            throw CommandError("\(path) is not a private key in PKCS #8 (DER)")
        }
        let own = PicoCurveName(key.curve)
        guard curve ?? own == own else { throw CommandError("the key in \(path) is on \(own.rawValue)") }
        return key
    }

    /// The channel that a text names, or a new one at the rendezvous point that it names.
    static func address(_ channel: String) throws(CommandError) -> PicoAddress {
        let text = channel.contains("/channel/") ? channel : "\(channel)/channel/\(RandomBytes.make(16).hex)"
        do {
            return try PicoAddress.parse(Bytes(text: text), accepting: .rendezvous)
        } catch {
            throw CommandError("'\(channel)' is neither https://HOST[:PORT] nor https://HOST[:PORT]/channel/NAME")
        }
    }

    /// The text of a code to pair with.
    func pairingCode(name: String, _ address: PicoAddress) throws(CommandError) -> Bytes {
        do {
            return try PicoPairingCode(
                name: Bytes(text: name), address: address, identity: key, suite: Self.suite
            ).encoded()
        } catch {
            throw CommandError("a service's name has 1 to 256 bytes, without control characters")
        }
    }

    /// The text of a code to sign in with.
    func signInCode(_ address: PicoAddress) -> Bytes {
        PicoAuthenticationCode(
            service: PicoCommitment(of: key.publicKey, suite: Self.suite), address: address
        ).encoded()
    }

    /// Waits for a wallet, and remembers it for a user.
    func pair(_ user: Bytes, over channel: any PicoChannel) async throws -> PicoAdmission {
        let symmetric = RandomBytes.make(16)
        let sealed = try SealedLoginSecret.seal(RandomBytes.make(16), key: symmetric, suite: Self.suite)
        let secret = try PairingSecret(name: user, data: sealed)
        return try await admit(.pairing, over: channel) { claim throws(CommandError) in
            try users.add(.init(name: user, identity: claim.identity, symmetricKey: symmetric))
            return .accept(.newPairing, continuous: continuous, extraData: secret.encoded())
        }
    }

    /// Waits for a wallet that is paired, and says whose it is.
    ///
    /// - Parameter user: the only one who is accepted; `nil` for all.
    func signIn(
        as user: Bytes? = nil, over channel: any PicoChannel
    ) async throws -> (who: PicoServicePairings.Entry, admission: PicoAdmission) {
        var who: PicoServicePairings.Entry?
        let admission = try await admit(.authentication, over: channel) { claim throws(CommandError) in
            // Both the key and what was handed out with it have to be right.
            guard let entry = try users.entry(claim.commitment), user ?? entry.name == entry.name,
                (try? SealedLoginSecret.open(claim.extraData, key: entry.symmetricKey, suite: Self.suite)) != nil
            else { return .refuse }
            who = entry
            return .accept(.paired(entry.identity), continuous: continuous, extraData: [])
        }
        guard let who else { throw PicoRunError.refused(.notAuthorised) }
        return (who, admission)
    }

    /// Runs the protocol.
    ///
    /// A fault of our own files is a no for the wallet, and told to the caller as what it is.
    private func admit(
        _ purpose: PicoVerifier.Purpose, over channel: any PicoChannel,
        _ decide: (PicoClaim) throws(CommandError) -> PicoDecision
    ) async throws -> PicoAdmission {
        var mistake: CommandError?
        let run = PicoVerifierRun(over: channel, lifetime: Int64(lifetime) * 1_000, patience: patience)
        do {
            return try await run.admit(
                identity: key, purpose: purpose, curves: PicoCurveName(key.curve).curves
            ) { claim throws(PicoRunError) in
                do throws(CommandError) {
                    return try decide(claim)
                } catch {
                    mistake = error
                    return .refuse
                }
            }
        } catch {
            throw mistake ?? error
        }
    }
}

extension PicoTimings {
    /// Those of a service that wants to hear from the wallet every so many seconds; paused, five times that.
    static func every(_ seconds: Int) -> PicoTimings {
        let active = Int32(seconds) * 1_000
        return PicoTimings(active: active, paused: active * 5, grace: active, first: max(active, 30_000))
    }
}
