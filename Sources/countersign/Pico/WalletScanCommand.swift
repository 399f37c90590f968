import ArgumentParser
import Encodings
import Foundation
import Interface
import Pico
import Wallet

/// `countersign wallet scan`.
struct WalletScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Scan the code of a service: pair with it, or sign in.",
        discussion: """
            The code is its text, a PNG that shows it, or '-' for standard input. A pairing code makes an account with a \
            key of its own; any later code of that service signs you in. You are shown who asks before anything is told.

            Codes of the original's browser extension, and codes that lead to Bluetooth, are recognised and refused.

            Exit codes: 0 paired or signed in; 1 refused, by you or by the service; 2 could not tell, or an error.

              countersign wallet scan code.png
              countersign wallet scan - --account ID --yes < code.txt
              countersign wallet scan code.png --stay
              countersign wallet scan code.png --old-service p192
            """)

    @Argument(help: "The code: its text, a PNG that shows it, or -.", completion: .file()) var code: String
    @Option(help: "The account to sign in with, if you have several at the service.") var account: String?
    @Option(
        help: """
            Pair with a service that you know to be old, on its curve: \
            p192, p384, p521 or secp192k1. Weaker or rarer than P-256.
            """)
    var oldService: PicoCurveName?
    @Flag(
        help: """
            Stay signed in while this command runs, if the service offers it. Type pause, continue or stop; Ctrl-C also \
            stops.
            """)
    var stay = false
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard oldService != .p256 else { throw ValidationError("P-256 is not old; leave --old-service out") }
    }

    func run() async throws {
        let read: PicoCode
        do throws(PicoError) {
            read = try WalletClient.picoCode(Bytes(text: try ApprovalText.pico(code)), oldService: oldService)
        } catch {
            throw CommandError(error.codeWords, isRefusal: true)
        }
        switch read {
        case .pairing(let code): try await pair(code)
        case .authentication(let code): try await signIn(code)
        case .lensPairing, .lensAuthentication, .terminalPairing, .delegation:
            guard case .decline(let reason) = read.decision else { throw PicoRunError.refused(.unsupportedCode) }
            throw CommandError(reason.words, isRefusal: true)
        }
    }

    private func pair(_ code: PicoPairingCode) async throws {
        let channel = try Self.channel(code.address)
        let client = try await options.unlock()
        let service = await client.picoService(code)
        Terminal.note("service: \(code.name.shown)")
        Terminal.note("host: \(code.address.host.shown)\(code.address.scheme == .http ? " (without TLS)" : "")")
        Terminal.note("fingerprint: \(service.fingerprint.text)")
        let own = await client.picoAccounts(at: service)
        if !own.isEmpty { Terminal.note("You have \(own.count) account\(own.count == 1 ? "" : "s") there already.") }
        let name = code.name.text
        if own.isEmpty, await client.picoAccounts().contains(where: { $0.service == name }) {
            Terminal.note(
                Terminal.styled(
                    "Another service that you are paired with has this name and another fingerprint. Ask there why.",
                    .doubtful))
        }
        if let oldService { Terminal.note("It is marked as old, with the curve \(oldService.rawValue).") }
        try Terminal.confirm(
            "Does the service show the same fingerprint, and do you want to pair?", yes: confirmation.yes)
        let (account, session) = try await client.pair(with: code, oldService: oldService, over: channel)
        if options.output.json {
            Output.now(.members([("paired", account.json), ("stays", .bool(session != nil))]))
        } else {
            Output.now("Paired. The account is '\(Bytes(text: account.name).shown)' (\(account.id)).")
        }
        try await stay(session, channel)
    }

    private func signIn(_ code: PicoAuthenticationCode) async throws {
        let channel = try Self.channel(code.address)
        let client = try await options.unlock()
        let account = try choose(await client.picoAccounts(at: code.service))
        Terminal.note("service: \(Bytes(text: account.service).shown)")
        Terminal.note("host: \(code.address.host.shown)\(code.address.scheme == .http ? " (without TLS)" : "")")
        Terminal.note("account: \(Bytes(text: account.name).shown)")
        let looked = ContinuousClock.now
        let time = try await showAsking(code, client)
        // The account's own switch is stricter than the command.
        do {
            try Terminal.confirm("Sign in?", yes: confirmation.yes && !account.asksEveryTime)
        } catch {
            // The page is told, and the look is over: it keeps no other wallet of the account out.
            if time != nil, Terminal.canAsk { await client.denyPico(code) }
            throw error
        }
        // Who looked at a code is known as long as it counts. Afterwards its messages could be handed on to another one.
        guard time.map({ looked.duration(to: .now) < $0 }) ?? true else {
            throw CommandError("the code is over by now. Let the sign-in page show a new one", isRefusal: true)
        }
        let session = try await client.signIn(with: code, account: account.id, over: channel)
        if options.output.json {
            Output.now(.members([("signed_in", account.json), ("stays", .bool(session != nil))]))
        } else {
            Output.now("Signed in.")
        }
        try await stay(session, channel)
    }

    /// Shows which browser asks to be signed in, if the code is for this wallet's own server.
    ///
    /// - Returns: how long such a code counts.
    private func showAsking(_ code: PicoAuthenticationCode, _ client: WalletClient) async throws -> Duration? {
        var time: Duration?
        do {
            switch try await client.picoAsker(of: code) {
            case .browser(let asking):
                let browser = asking.browser.map { Bytes(text: $0).shown } ?? "does not say what it is"
                Terminal.note("browser there: \(browser)")
                Terminal.note("network address: \(Bytes(text: asking.address).shown)")
                Terminal.note("asked: \(Output.time(asking.created))")
                time = .seconds(asking.expires - asking.created)
            case .nobody:
                throw CommandError(
                    "your server does not know this code: it is over, or somebody else shows it. Let the sign-in page show "
                        + "a new one", isRefusal: true)
            case .otherService: Terminal.note("Your server does not know which browser or computer shows the code.")
            }
        } catch WalletError.notSignedIn {
            Terminal.note("You are not signed in with this wallet, so the server does not say who asks.")
        }
        Terminal.note("Are you in front of that screen? If not, say no: somebody else would be signed in as you.")
        return time
    }

    private func choose(_ own: [PicoAccountSummary]) throws -> PicoAccountSummary {
        guard !own.isEmpty else {
            throw CommandError(
                "you have no account at this service. Scan its pairing code first", isRefusal: true)
        }
        if let account {
            guard let chosen = own.first(where: { $0.id == account }) else {
                throw CommandError("the account '\(account)' is not of this service", isRefusal: true)
            }
            return chosen
        }
        if own.count == 1 { return own[0] }
        for each in own { Terminal.note("\(each.id)  \(Bytes(text: each.name).shown)") }
        let id = try Terminal.ask("Which account (its id)", orGive: "--account")
        guard let chosen = own.first(where: { $0.id == id }) else { throw WalletError.notFound(id) }
        return chosen
    }

    private func stay(_ session: PicoSession?, _ channel: RendezvousClient) async throws {
        guard let session else {
            if stay { Terminal.note("The service does not ask the wallet to stay.") }
            return
        }
        guard stay else {
            return Terminal.note(
                "The service locks unless a wallet stays: scan its next code with --stay.")
        }
        try await PicoStaying(json: options.output.json).run(session, channel)
    }

    /// The channel of an address, if it is one that this program can use.
    static func channel(_ address: PicoAddress) throws -> RendezvousClient {
        switch address.scheme {
        case .https, .http: return RendezvousClient(address)
        case .bluetooth:
            throw CommandError(
                "the code leads to a Bluetooth device, and this wallet does not use Bluetooth. Let the service use a "
                    + "rendezvous point", isRefusal: true)
        case .tcp:
            throw CommandError(
                "the code leads to a plain TCP port, and this wallet does not use those. Let the service use a rendezvous "
                    + "point", isRefusal: true)
        }
    }
}

extension PicoAccountSummary {
    /// The account for programs.
    var json: JSON {
        .members([
            ("asks_every_time", .bool(asksEveryTime)), ("created", .integer(created)), ("curve", .text(curve.rawValue)),
            ("fingerprint", .text(fingerprint)), ("id", .text(id)), ("name", .text(name)), ("service", .text(service)),
        ])
    }
}

extension ApprovalText {
    /// The text of a code that may be anything; what cannot be read is no code.
    fileprivate static func pico(_ given: String) throws(PicoError) -> String {
        do { return try read(given) } catch { throw .malformed }
    }
}
