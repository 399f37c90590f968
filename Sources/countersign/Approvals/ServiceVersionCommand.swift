import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign admin service version-1`.
struct ServiceVersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version-1", abstract: "Let a service speak version 1 with old apps, or no longer.",
        discussion: """
            Version 1 is the original's protocol. It has no code to type, no denial and no receipt, so switch it on only \
            for services whose users have old apps. The apps need the RSA key that this prints. If they know another one \
            already, bring its private key with --key.

              countersign admin service version-1 bank.example --on
              countersign admin service version-1 bank.example --on --key mykey.pem
              countersign admin service version-1 bank.example --off
            """)

    @Argument(help: "The service's domain.") var domain: String
    @Flag(help: "Let it.") var on = false
    @Flag(help: "Let it no longer: challenges that wait are not answered any more.") var off = false
    @Option(help: "The file of the RSA private key, PEM, that the service's apps know already.", completion: .file())
    var key: String?
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard on != off else { throw ValidationError("say either --on or --off") }
        guard on || key == nil else { throw ValidationError("--key is for --on") }
    }

    func run() async throws {
        let client = try await options.unlock()
        let service = try await client.approvalService(of: domain)
        let pem = try key.map { String(decoding: try Files.read($0), as: UTF8.self) }
        let changed = try await client.setOriginal(service.id, accepts: on, key: pem)
        guard !options.output.json else { return try Output.print(value: changed) }
        Output.line(on ? "It speaks version 1 too. Its key for apps:" : "It speaks version 1 no longer.")
        if let key = changed.service.originalKey { Output.line(key) }
        Output.act(changed.act)
    }
}
