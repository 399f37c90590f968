import ArgumentParser
import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Wallet

/// `countersign pico-service`.
struct PicoServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pico-service", abstract: "Be a service that people sign in to with a scan.",
        discussion: """
            For tests and scripts: it prints a code, waits for a wallet and says who it was. The service's key is made at the first use. Its users are \
            in a file of the form that the original's login module has.

              countersign pico-service pair --channel https://sign.example.edu --name 'My computer' --user ada
              countersign pico-service auth --channel https://sign.example.edu --continuous
            """,
        subcommands: [PicoServicePairCommand.self, PicoServiceAuthCommand.self])
}

/// What both commands of a service share.
struct PicoServiceOptions: ParsableArguments {
    @Option(
        help: """
            The rendezvous point, such as a Countersign server, https://HOST[:PORT]; or a channel there, \
            https://HOST/channel/NAME.
            """)
    var channel: String
    @Option(help: "The service's private key, PKCS #8. Default: ~/.countersign/pico-service.key.") var identity: String?
    @Option(help: "The users. Default: ~/.countersign/pico-service.users.") var pairings: String?
    @Option(help: "The curve of a new key: p256, or for a service with old Picos p192, p384, p521 or secp192k1.")
    var curve: PicoCurveName?
    @Flag(help: "Have the wallet stay, and say when it pauses, stops or is lost.") var continuous = false
    @Option(help: "How long the code counts, in seconds, 1 to 3600.") var lifetime = 300
    @Option(help: "How often a wallet that stays has to answer, in seconds, 1 to 3600; paused five times that.")
    var interval = 10
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...3_600).contains(lifetime) else { throw ValidationError("--lifetime is 1 to 3600") }
        guard (1...3_600).contains(interval) else { throw ValidationError("--interval is 1 to 3600") }
    }

    /// The users.
    var users: PicoServicePairings { PicoServicePairings(path: pairings ?? Self.home("pico-service.users")) }

    /// The service's key, which is made at the first use.
    func key() throws -> ECPrivateKey {
        let path = identity ?? Self.home("pico-service.key")
        guard FileManager.default.fileExists(atPath: path) else {
            let key = try ECPrivateKey.generate(on: (curve ?? .p256).curve, randomBytes: { RandomBytes.make($0) })
            try AtomicFile.write(PicoPrivateKeyFile.encode(key), to: path)
            return key
        }
        guard let key = PicoPrivateKeyFile.decode(try Files.read(path)) else {
            throw CommandError("\(path) is not a private key in PKCS #8 (DER)")
        }
        let own = PicoCurveName(key.curve)
        guard curve ?? own == own else { throw CommandError("the key in \(path) is on \(own.rawValue)") }
        return key
    }

    /// The channel: the given one, or a new one at the given rendezvous point.
    func address() throws -> PicoAddress {
        let text = channel.contains("/channel/") ? channel : "\(channel)/channel/\(RandomBytes.make(16).hex)"
        do {
            return try PicoAddress.parse(Bytes(text: text), accepting: .rendezvous)
        } catch {
            throw CommandError("'\(channel)' is neither https://HOST[:PORT] nor https://HOST[:PORT]/channel/NAME")
        }
    }

    /// Shows the code, lets one wallet in, and watches it if it stays.
    func run(
        _ code: Bytes, _ key: ECPrivateKey, _ purpose: PicoVerifier.Purpose, over channel: RendezvousClient,
        _ decide: (PicoClaim) throws(CommandError) -> (name: Bytes, decision: PicoDecision)?
    ) async throws {
        show(code)
        var who: Bytes = []
        var mistake: CommandError?
        let run = PicoVerifierRun(over: channel, lifetime: Int64(lifetime) * 1_000)
        let admission: PicoAdmission
        do {
            admission = try await run.admit(
                identity: key, purpose: purpose, curves: PicoCurveName(key.curve).curves
            ) { claim throws(PicoRunError) in
                do throws(CommandError) {
                    guard let (name, decision) = try decide(claim) else { return .refuse }
                    who = name
                    return decision
                } catch {
                    mistake = error
                    return .refuse
                }
            }
        } catch {
            throw mistake ?? error
        }
        let fingerprint = admission.claim.commitment.fingerprint.text
        let word: String = purpose == .pairing ? "paired" : "signed_in"
        if output.json {
            Output.now(
                .members([
                    (word, .members([("fingerprint", .text(fingerprint)), ("user", .string(who))])),
                    ("stays", .bool(admission.session != nil)),
                ]))
        } else {
            Output.now("\(purpose == .pairing ? "Paired" : "Signed in"): \(who.shown) (\(fingerprint)).")
        }
        guard let session = admission.session else { return }
        try await watch(session, channel)
    }

    private func watch(_ session: PicoSession, _ channel: RendezvousClient) async throws {
        let (active, grace) = (Int32(interval) * 1_000, Int32(interval) * 1_000)
        let timings = PicoTimings(active: active, paused: active * 5, grace: grace, first: max(active, 30_000))
        do {
            try await PicoStay(over: channel, timings: timings).watch(session) { [json = output.json] state in
                PicoStaying.show(state, json: json)
            }
        } catch {
            if output.json {
                Output.now(.members([("state", .text("lost"))]))
            } else {
                Output.now("Lost.")
            }
            throw error
        }
    }

    private func show(_ code: Bytes) {
        if output.json { return Output.now(.members([("code", .string(code))])) }
        QRPicture.show(code.text)
        Output.now(code.text)
    }

    private static func home(_ name: String) -> String { NSHomeDirectory() + "/.countersign/" + name }
}

/// `countersign pico-service pair`.
struct PicoServicePairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a pairing code, and remember the wallet that scans it.",
        discussion: "  countersign pico-service pair --channel https://sign.example.edu --name 'My computer' --user ada"
    )

    @Option(help: "The service's name, which the wallet shows.") var name: String
    @Option(help: "The user whom the wallet will sign in: printable ASCII without spaces and colons.") var user = "user"
    @OptionGroup var options: PicoServiceOptions

    func validate() throws {
        guard PicoServicePairings.isName(Bytes(text: user)) else {
            throw ValidationError("--user has 1 to 64 printable ASCII characters, without spaces and colons")
        }
    }

    func run() async throws {
        let suite = SwiftCryptoSuite()
        let (key, address) = (try options.key(), try options.address())
        let code: PicoPairingCode
        do {
            code = try PicoPairingCode(name: Bytes(text: name), address: address, identity: key, suite: suite)
        } catch {
            throw CommandError("a service's name has 1 to 256 bytes, without control characters")
        }
        let (symmetric, user) = (RandomBytes.make(16), Bytes(text: user))
        let secret = try PairingSecret(
            name: user, data: try SealedLoginSecret.seal(RandomBytes.make(16), key: symmetric, suite: suite))
        let (users, continuous) = (options.users, options.continuous)
        try await options.run(code.encoded(), key, .pairing, over: RendezvousClient(address)) {
            claim throws(CommandError) in
            try users.add(.init(name: user, identity: claim.identity, symmetricKey: symmetric))
            return (user, .accept(.newPairing, continuous: continuous, extraData: secret.encoded()))
        }
    }
}

/// `countersign pico-service auth`.
struct PicoServiceAuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth", abstract: "Show a code for signing in, and say who did.",
        discussion: """
            Exit codes: 0 signed in, and stopped if the wallet stayed; 1 refused; 2 nobody came, or the wallet was lost.

              countersign pico-service auth --channel https://sign.example.edu --continuous --json
            """)

    @Option(help: "The service's name, for the reader of a script: a code for signing in has none.") var name: String?
    @OptionGroup var options: PicoServiceOptions

    func run() async throws {
        let suite = SwiftCryptoSuite()
        let (key, address) = (try options.key(), try options.address())
        let code = PicoAuthenticationCode(
            service: PicoCommitment(of: key.publicKey, suite: suite), address: address)
        let (users, continuous) = (options.users, options.continuous)
        try await options.run(code.encoded(), key, .authentication, over: RendezvousClient(address)) {
            claim throws(CommandError) in
            // Both the key and what was handed out with it have to be right.
            guard let entry = try users.entry(claim.commitment),
                (try? SealedLoginSecret.open(claim.extraData, key: entry.symmetricKey, suite: suite)) != nil
            else { return nil }
            return (entry.name, .accept(.paired(entry.identity), continuous: continuous, extraData: []))
        }
    }
}
