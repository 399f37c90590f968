import ArgumentParser
import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Glibc
import Pico
import Wallet

/// `countersign admin pam`.
struct PamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pam", abstract: "Let people sign in to this machine with a scan.",
        discussion: """
            For the PAM module pam_countersign, which sshd, sudo and login use. Run these commands as root. Settings, \
            key and users are in /etc/countersign/pam, and only root can change them. See docs/pico.md, 'Signing in to a \
            Linux machine', for the lines of /etc/pam.d.

              countersign admin pam pair ada --channel https://sign.example.edu
              countersign admin pam list
              countersign admin pam check
              countersign admin pam remove ada
            """,
        subcommands: [
            PamPairCommand.self, PamListCommand.self, PamRemoveCommand.self, PamCheckCommand.self,
            PamAuthenticateCommand.self,
        ])
}

/// Where everything is.
struct PamOptions: ParsableArguments {
    @Option(help: "The folder that etc/countersign/pam is in. Another one than / is for tests.") var root = "/"

    var folder: PamFolder { PamFolder(root: root) }

    func validate() throws {
        guard root.hasPrefix("/") else { throw ValidationError("--root is a folder's whole path, from / on") }
    }

    /// Demands root, who alone may change these files.
    func requireRoot() throws(CommandError) {
        guard geteuid() == 0 else { throw CommandError("only root may do this; run it with sudo") }
    }
}

/// `countersign admin pam pair`.
struct PamPairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a code, and remember the wallet that scans it for a user.",
        discussion: """
            The first time it also makes the settings and this machine's key. Compare the fingerprint that it shows with \
            the one in the wallet. A user may have several wallets.

            Exit codes: 0 paired; 1 refused; 2 nobody came, or an error.

              countersign admin pam pair ada --channel https://sign.example.edu --name 'Desk 7'
            """)

    @Argument(help: "The user of this machine.") var user: String
    @Option(help: "The first time: the Countersign server where wallets meet this machine, https://HOST[:PORT].")
    var channel: String?
    @Option(help: "The first time: what wallets call this machine. Default: its host name.") var name: String?
    @OptionGroup var place: PamOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard PicoServicePairings.isName(Bytes(text: user)) else {
            throw ValidationError("USER has 1 to 64 printable ASCII characters, without spaces and colons")
        }
    }

    func run() async throws {
        try place.requireRoot()
        guard unsafe getpwnam(user) != nil else { throw CommandError("there is no user '\(user)' on this machine") }
        let folder = place.folder
        let configuration = try prepare(folder)
        let service = PicoService(
            key: try PicoService.key(at: folder.keyFile, curve: .p256), users: folder.users, continuous: false,
            lifetime: 300)
        try folder.check()
        let address = try PicoService.address(configuration.channel)
        let code = try service.pairingCode(name: configuration.name, address)
        let fingerprint = PicoCommitment(of: service.key.publicKey, suite: SwiftCryptoSuite()).fingerprint
        if output.json {
            Output.now(.members([("code", .string(code)), ("fingerprint", .string(fingerprint))]))
        } else {
            QRPicture.show(code.text)
            Output.now(code.text)
            Output.now("fingerprint: \(fingerprint.text)")
        }
        let admission = try await service.pair(Bytes(text: user), over: RendezvousClient(address))
        let wallet = admission.claim.commitment.fingerprint.text
        if output.json {
            Output.now(.members([("paired", .members([("user", .text(user)), ("wallet", .text(wallet))]))]))
        } else {
            Output.now("Paired: \(user) signs in with the wallet \(wallet).")
        }
    }

    /// The settings, which are made the first time.
    private func prepare(_ folder: PamFolder) throws -> PamConfiguration {
        guard !folder.isConfigured else {
            guard channel == nil, name == nil else {
                throw CommandError("\(folder.configurationFile) is there. Change the channel and the name in it")
            }
            return try folder.configuration()
        }
        guard let channel else { throw CommandError("the first time, say where wallets meet: --channel https://HOST") }
        guard !channel.contains("/channel/") else { throw CommandError("--channel is https://HOST[:PORT]") }
        _ = try PicoService.address(channel)
        let configuration = PamConfiguration(name: name ?? ProcessInfo.processInfo.hostName, channel: channel)
        // A folder of our own for the mode; those above it are the system's.
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: folder.path).deletingLastPathComponent().path,
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        if !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        try RootOnly.check(folder: folder.path, below: folder.root)
        try AtomicFile.write(configuration.file, to: folder.configurationFile)
        return configuration
    }
}
