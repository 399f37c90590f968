import Foundation
import Testing

@testable import countersign

/// The words of the command that sets an organisation up, before it fixes the address for ever.
@Suite("Setting up on the command line", .blocking, .timeLimit(.minutes(15)))
struct SettingUpTests {
    private func arguments(
        _ server: DemoServer, _ folder: TemporaryFolder, named name: [String] = ["--name", "Olga Owner"]
    ) throws -> [String] {
        try "a passphrase for tests".write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        return [
            "wallet", "setup", "--server", server.url, "--code", server.setUpCode, "--organisation",
            "Lasting University",
            "--username", "owner", "--wallet", folder.path("owner.wallet"), "--passphrase-file", folder.path("pass"),
        ] + name
    }

    @Test("people are called as the command says: by one name, or by given and family name")
    func names() throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let server = try machine.start(isSetUp: false)
        defer { server.stop() }
        let owner = try Program.run(
            Program.countersign,
            try arguments(server, folder, named: ["--given-name", "Olga", "--family-name", "Owner"]))
        #expect(owner.output.contains("Welcome to Lasting University, Olga Owner"), "\(owner)")
        let people = [
            (["--name", "Ada Lovelace"], "Ada Lovelace"), (["--given-name", "Suharto"], "Suharto"),
            (["--given-name", "Grace", "--family-name", "Hopper"], "Grace Hopper"),
        ]
        for (index, (flags, name)) in people.enumerated() {
            let joined = try Program.run(
                Program.countersign,
                [
                    "wallet", "sign-up", "--server", server.url, "--username", "person\(index)", "--wallet",
                    folder.path("\(index).wallet"), "--passphrase-file", folder.path("pass"),
                ] + flags)
            #expect(joined.output.contains("Welcome to Lasting University, \(name) (member)"), "\(joined)")
        }
    }

    @Test("the address is permanent: the command says so, asks, and without a yes nothing is set up")
    func permanence() throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let server = try machine.start(isSetUp: false)
        defer { server.stop() }
        let arguments = try arguments(server, folder)

        let refused = try Program.onTerminal(arguments, typed: "n\n")
        #expect(refused.output.contains("\(server.url) is permanent"), "\(refused)")
        #expect(refused.output.contains("Set the organisation up with this address? [y/N]"), "\(refused)")
        #expect(refused.output.contains("nothing was done") && refused.status == 1, "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("owner.wallet")))

        // Where nobody can answer it says so and goes on: a script has decided already.
        let made = try Program.run(Program.countersign, arguments)
        #expect(made.status == 0 && made.errors.contains("is permanent"), "\(made)")
        #expect(made.output.contains("Welcome to Lasting University"))

        // Once it is set up there is nothing left to decide.
        let again = try Program.run(Program.countersign, arguments)
        #expect(again.status != 0 && !again.errors.contains("is permanent"), "\(again)")
    }
}
