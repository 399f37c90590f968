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

    /// The service.
    func service() throws -> PicoService {
        let path = identity ?? Self.home("pico-service.key")
        return PicoService(
            key: try PicoService.key(at: path, curve: curve), users: users, continuous: continuous, lifetime: lifetime)
    }

    /// Says who came, and watches the wallet if it stays.
    func report(_ word: String, _ who: Bytes, _ admission: PicoAdmission, _ channel: RendezvousClient) async throws {
        let fingerprint = admission.claim.commitment.fingerprint.text
        if output.json {
            Output.now(
                .members([
                    (word, .members([("fingerprint", .text(fingerprint)), ("user", .string(who))])),
                    ("stays", .bool(admission.session != nil)),
                ]))
        } else {
            Output.now("\(word == "paired" ? "Paired" : "Signed in"): \(who.shown) (\(fingerprint)).")
        }
        guard let session = admission.session else { return }
        try await watch(session, channel)
    }

    private func watch(_ session: PicoSession, _ channel: RendezvousClient) async throws {
        do {
            try await PicoStay(over: channel, timings: .every(interval)).watch(session) { [json = output.json] state in
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

    /// Shows a code.
    func show(_ code: Bytes) {
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
        let (service, address) = (try options.service(), try PicoService.address(options.channel))
        let channel = RendezvousClient(address)
        options.show(try service.pairingCode(name: name, address))
        let admission = try await service.pair(Bytes(text: user), over: channel)
        try await options.report("paired", Bytes(text: user), admission, channel)
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
        let (service, address) = (try options.service(), try PicoService.address(options.channel))
        let channel = RendezvousClient(address)
        options.show(service.signInCode(address))
        let (who, admission) = try await service.signIn(over: channel)
        try await options.report("signed_in", who.name, admission, channel)
    }
}
