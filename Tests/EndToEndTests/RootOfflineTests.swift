import Encodings
import Foundation
import Interface
import Storage
import Testing

@testable import Server
@testable import Wallet
@testable import countersign

/// The root taken offline, used there and brought back, as an operator does it: by the command line.
@Suite("countersign admin root", .blocking)
struct RootOfflineTests {
    @Test("export and remove under a running server, start and serve without, renew with the file, import again")
    func journey() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        try "words enough for a root\n".write(toFile: folder.path("words"), atomically: true, encoding: .utf8)
        try "words enough for nothing\n".write(toFile: folder.path("other"), atomically: true, encoding: .utf8)
        let file = folder.path("root.backup")
        let sealing = ["--passphrase-file", folder.path("words")]

        var server = try machine.start(isSetUp: false)
        let cast = DemoCast(server: server, folder: folder.url.path)
        let owner = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: "Root University", DemoCast.owner)
        #expect(try ServerMachine.json(machine.admin(["root", "status"]))["is_here"] == .bool(true))

        // Where nothing is mounted, a file would leave the root on the very disk that it is to leave.
        let unmounted = try machine.admin(["root", "export", file, "--remove", "--yes"] + sealing)
        #expect(unmounted.status == 2 && unmounted.output.contains("is the stick mounted"), "\(unmounted.output)")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(FileManager.default.fileExists(atPath: folder.path("server/keys/root")))
        let exported = try machine.admin(["root", "export", file, "--remove", "--same-disk", "--yes"] + sealing)
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try ServerMachine.json(exported)["is_here"] == .bool(false))
        #expect(!FileManager.default.fileExists(atPath: folder.path("server/keys/root")))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        // A file with a root in it is never written over.
        #expect(try machine.admin(["root", "export", file] + sealing).status != 0)
        #expect(try await owner.client.invite(.operator, lifetime: 600).code != nil)

        // A command that changes tables needs the server stopped, and checks that.
        let running = try machine.admin(["root", "renew", "--from", file] + sealing)
        #expect(running.status == 2 && running.output.contains("a server is running on"), "\(running.output)")
        server.stop()

        let without = try machine.admin(["root", "renew"])
        #expect(without.status == 1 && without.output.contains("the root is offline"), "\(without.output)")
        let guessed = try machine.admin(
            ["root", "renew", "--from", file, "--passphrase-file", folder.path("other")])
        #expect(guessed.status == 1 && guessed.output.contains("the passphrase is not"), "\(guessed.output)")
        let renewed = try machine.admin(
            ["root", "renew", "--from", file, "--certificate", "status_signer"] + sealing)
        #expect(renewed.status == 0, "\(renewed.output) \(renewed.errors)")
        #expect(try ServerMachine.json(renewed)["status_signer"]?.integer != nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path("server/keys/root")))

        // The same by two small files.
        let (request, answer) = (folder.path("request.json"), folder.path("answer.json"))
        #expect(
            try machine.admin(
                ["root", "request", "--out", request, "--certificate", "main_administrator"]).status == 0)
        let signed = try ServerMachine.run(
            ["admin", "root", "sign", request, "--key", file, "--out", answer, "--yes", "--json"] + sealing)
        #expect(signed.status == 0, "\(signed.output) \(signed.errors)")
        let accepted = try machine.admin(["root", "accept", answer])
        #expect(accepted.status == 0, "\(accepted.output)")
        let replayed = try machine.admin(["root", "accept", answer])
        #expect(replayed.status == 1 && replayed.output.contains("the answer is old"), "\(replayed.output)")

        server = try machine.start()
        let again = try await cast.unlock(DemoCast.owner)
        #expect(try await again.checkLog().acts.map(\.type).filter { $0 == "certificate.renewed" }.count == 2)
        #expect(try await again.invite(.operator, lifetime: 600).code != nil)
        server.stop()

        #expect(try machine.admin(["root", "import", file, "--passphrase-file", folder.path("other")]).status == 1)
        #expect(try machine.admin(["root", "import", file] + sealing).status == 0)
        #expect(try ServerMachine.json(machine.admin(["root", "status"]))["is_here"] == .bool(true))
    }

    @Test("keys are rotated while the server runs, and it goes on with the new ones")
    func rotationWhileRunning() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let (server, cast, owner) = try await machine.settle("Key University")
        let open = try #require(try await owner.invite(.operator, lifetime: 600).code)
        for name in KeyRotation.Name.allCases.map(\.rawValue) {
            let path = folder.path("server/keys/\(name)")
            let old = try String(contentsOfFile: path, encoding: .utf8)
            let rotated = try machine.admin(["keys", "rotate", name, "--yes"])
            #expect(rotated.status == 0, "\(rotated.output) \(rotated.errors)")
            #expect(try ServerMachine.json(rotated)["invitations_ended"] == .integer(name == "code-secret" ? 1 : 0))
            #expect(try String(contentsOfFile: path, encoding: .utf8) != old)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("server"))
            #expect(!names.contains { $0.hasPrefix("order") })
        }
        // Codes of the old secret open nothing; those of the new one do, and what the new keys sign is believed.
        let clerk = NewPerson(username: "clerk", name: "Clara Clerk", passphrase: DemoCast.passphrase)
        await #expect(throws: (any Error).self) {
            _ = try await WalletClient.signUp(cast.place(clerk), clerk, invitation: open)
        }
        let code = try #require(try await owner.invite(.operator, lifetime: 600).code)
        _ = try await WalletClient.signUp(cast.place(clerk), clerk, invitation: code)
        #expect(try await owner.checkLog().acts.filter { $0.type == "key.rotated" }.count == 5)
        // A refusal is in the server's own words.
        try FileManager.default.removeItem(atPath: folder.path("server/keys/root"))
        let offline = try machine.admin(["keys", "rotate", "desk", "--yes"])
        #expect(offline.status == 1 && offline.output.contains("the root is offline"), "\(offline.output)")
        server.stop()
        let doctor = try machine.admin(["doctor"])
        #expect(doctor.output.contains("ours alone, as certified"), "\(doctor.output)")
    }

    @Test("keys are rotated, sessions ended and the main administrator brought back, each with the server stopped")
    func rotation() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        var server = try machine.start(isSetUp: false)
        let cast = DemoCast(server: server, folder: folder.url.path)
        let owner = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: "Key University", DemoCast.owner)
        _ = try await owner.client.invite(.operator, lifetime: 600)
        for command in [["owner", "recover"], ["end-sessions"]] {
            let running = try machine.admin(command + ["--yes"])
            #expect(running.status == 2 && running.output.contains("a server is running on"), "\(running.output)")
        }
        server.stop()
        for name in ["label-secret", "status", "code-secret"] {
            let path = folder.path("server/keys/\(name)")
            let old = try String(contentsOfFile: path, encoding: .utf8)
            let rotated = try machine.admin(["keys", "rotate", name, "--yes"])
            #expect(rotated.status == 0, "\(rotated.output) \(rotated.errors)")
            #expect(try ServerMachine.json(rotated)["invitations_ended"] == .integer(name == "code-secret" ? 1 : 0))
            #expect(try String(contentsOfFile: path, encoding: .utf8) != old)
        }
        let model = { (name: String) in
            Program.repository.appendingPathComponent("Web/hand-signatures/\(name).json").path
        }
        let own = ["models", "install", model("pen-model"), "--yes", "--rates"]
        let judging = { try ServerMachine.json(machine.admin(["models", "list"]))["items"]?.array?.first?["is_own"] }
        #expect(try machine.admin(own + [model("touch-rates")]).status == 1)
        #expect(try machine.admin(own + [model("pen-rates")]).status == 0)
        #expect(try judging() == .bool(true))
        // An unreadable model judges nobody; removing it still works.
        let database = try await SQLiteDatabase.open(folder.path("server/countersign.sqlite"))
        #expect(try await database.write { try $0.changes("UPDATE desk_models SET model = 'no model'") } == 1)
        try await database.close()
        let refused = try ServerMachine.run([
            "serve", "--data", folder.path("server"), "--port", "\(machine.port)", "--public-url", server.url,
        ])
        #expect(refused.status == 2 && refused.errors.contains("models remove pen"), "\(refused.errors)")
        #expect(try machine.admin(["models", "list"]).status == 2)
        #expect(try machine.admin(["models", "remove", "pen", "--yes"]).status == 0)
        #expect(try judging() == .bool(false))
        #expect(try ServerMachine.json(machine.admin(["end-sessions", "--yes"]))["ended"] == .integer(1))
        let made = try ServerMachine.json(machine.admin(["owner", "recover", "--yes"]))
        let code = String(decoding: try #require(made["code"]?.string), as: UTF8.self)
        #expect(made["username"]?.isString("rector") == true)

        server = try machine.start()
        let before = try await cast.unlock(DemoCast.owner)
        await #expect(throws: (any Error).self) { try await before.invite(.operator, lifetime: 600) }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let recovered = try ServerMachine.run([
            "wallet", "recover", "--server", server.url, "--username", "rector", "--code", code, "--wallet",
            folder.path("again.wallet"), "--passphrase-file", folder.path("pass"), "--json",
        ])
        #expect(recovered.status == 0, "\(recovered.output) \(recovered.errors)")
        let again = try await WalletClient.unlock(path: folder.path("again.wallet"), passphrase: DemoCast.passphrase)
        #expect(try await again.invite(.administrator, lifetime: 600).code != nil)
        let mine = try await again.checkLog().acts.map(\.type)
        #expect(mine.filter { $0 == "key.rotated" }.count == 3)
        #expect(mine.suffix(4) == ["device.revoked", "certificate.revoked", "certificate.renewed", "device.enrolled"])
        await #expect(throws: (any Error).self) { try await before.signIn(passphrase: DemoCast.passphrase) }
        server.stop()
    }

    @Test(
        "with the log's or the status key gone, or another root in its place, the server does not start, and says why")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let server = try machine.start(isSetUp: false)
        let cast = DemoCast(server: server, folder: folder.url.path)
        _ = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: "Root University", DemoCast.owner)
        server.stop()
        let serve = [
            "serve", "--data", folder.path("server"), "--port", "\(machine.port)", "--public-url", server.url,
        ]
        for name in ["log", "status"] {
            let path = folder.path("server/keys/\(name)")
            try FileManager.default.moveItem(atPath: path, toPath: folder.path("away"))
            let outcome = try ServerMachine.run(serve)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("the key '\(name)' is missing"), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.moveItem(atPath: folder.path("away"), toPath: path)
        }
        try FileManager.default.removeItem(atPath: folder.path("server/keys/root"))
        try FileManager.default.copyItem(
            atPath: folder.path("server/keys/code-secret"), toPath: folder.path("server/keys/root"))
        let outcome = try ServerMachine.run(serve)
        #expect(outcome.errors.contains("the key 'root'") && outcome.errors.contains("not this organisation's"))
        let nowhere = try ServerMachine.run(["admin", "root", "status", "--data", folder.path("nothing"), "--json"])
        #expect(nowhere.status == 2 && !FileManager.default.fileExists(atPath: folder.path("nothing")))
    }
}
