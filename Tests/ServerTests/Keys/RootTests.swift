import Certificates
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("The root offline")
struct RootTests {
    private let passphrase = "a long passphrase for the root"

    @Test("a key that is missing is never made anew once there is an organisation; the root alone may be missing")
    func missing() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            #expect(!FileManager.default.fileExists(atPath: organisation.keyFile("root")), "made at set-up, not before")
            _ = try await client.setUp(organisation.person("owner"))
            for name in ["status", "log", "label-secret", "code-secret"] {
                let path = organisation.keyFile(name)
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                await #expect(throws: ServerKeys.KeyError.missing(name: name)) { try await organisation.openKeys() }
                #expect(!FileManager.default.fileExists(atPath: path))
                try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            }
            try FileManager.default.removeItem(atPath: organisation.keyFile("root"))
            _ = try await organisation.openKeys()
            #expect(!FileManager.default.fileExists(atPath: organisation.keyFile("root")))
        }
    }

    @Test("a key that somebody put in the place of the organisation's is refused", arguments: ["root", "status"])
    func foreign(name: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let other = Hex.encode(try SigningKey().rawRepresentation) + [0x0A]
            try Data(other).write(to: URL(fileURLWithPath: organisation.keyFile(name)))
            await #expect(throws: ServerKeys.KeyError.foreign(name: name)) { try await organisation.openKeys() }
            guard name == "root" else { return }
            // A running server meets it when it wants to sign.
            organisation.clock.advance(.seconds(400 * 86_400))
            await #expect(throws: ServerKeys.KeyError.foreign(name: name)) {
                try await organisation.certificates.renewServerKeys()
            }
            await #expect(throws: ServerKeys.KeyError.foreign(name: name)) { try await organisation.travel().state() }
        }
    }

    @Test("without the root everything goes on but what needs it, and another set-up makes no other root")
    func offline() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            let root = try await organisation.stored().rootCertificate
            try FileManager.default.removeItem(atPath: organisation.keyFile("root"))
            let code = try await client.invite(.administrator, token: session.token)
            _ = try await client.join(organisation.person("registrar"), invitation: code)
            _ = try await client.join(organisation.person("alice"))
            let place = try await organisation.server.environment.database.write { transaction in
                try organisation.server.environment.statusLists.reserve(isCertificate: false, in: transaction)
            }
            _ = try await organisation.server.environment.statusLists.token(list: place.list)
            organisation.clock.advance(.seconds(400 * 86_400))
            #expect(try await organisation.certificates.renewServerKeys().isEmpty)
            await #expect(throws: RootKey.Missing.offline) { try await organisation.certificates.authority() }
            let again = try client.setUpRequest(
                organisation.person("thief"), code: organisation.server.environment.setUpCode)
            #expect(try await client.send(.post, "/api/setup", again).problem == "conflict")
            #expect(!FileManager.default.fileExists(atPath: organisation.keyFile("root")))
            #expect(try await organisation.stored().rootCertificate == root)
        }
    }

    @Test("the key travels to a file and back, and leaves only once the file was seen to give it back")
    func travel() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let travel = try await organisation.travel()
            let secret = try String(contentsOfFile: organisation.keyFile("root"), encoding: .utf8)
            await #expect(throws: RootFile.FileError.weakPassphrase) {
                try await travel.export(passphrase: "fourteen bytes")
            }
            let text = try await travel.export(passphrase: passphrase).formatted()
            #expect(!String(decoding: text, as: UTF8.self).contains(secret.prefix(64)))
            let file = try RootFile(text)
            await #expect(throws: RootFile.FileError.wrongPassphrase) {
                try await travel.remove(provedBy: file, passphrase: "a long passphrase for nothing")
            }
            #expect(try travel.state().isHere)
            try await travel.remove(provedBy: file, passphrase: passphrase)
            #expect(try travel.state().isHere == false)
            #expect(try FileManager.default.contentsOfDirectory(atPath: organisation.keyFile("")).count == 9)
            await #expect(throws: RootKey.Missing.offline) { try await travel.export(passphrase: passphrase) }
            await #expect(throws: RootFile.FileError.wrongPassphrase) {
                try await travel.bringBack(file, passphrase: "a long passphrase for nothing")
            }
            try await travel.bringBack(file, passphrase: passphrase)
            #expect(try String(contentsOfFile: organisation.keyFile("root"), encoding: .utf8) == secret)
            await #expect(throws: RootTravel.TravelError.isHere) {
                try await travel.bringBack(file, passphrase: passphrase)
            }
        }
    }

    @Test("a file of another organisation, or one that was changed, is refused")
    func wrongFile() async throws {
        let here = try await TestOrganisation()
        let there = try await TestOrganisation()
        try await here.serve { client in _ = try await client.setUp(here.person("owner")) }
        try await there.serve { client in _ = try await client.setUp(there.person("owner")) }
        let file = try await there.travel().export(passphrase: passphrase)
        let travel = try await here.travel()
        for act in [travel.bringBack(_:passphrase:), travel.remove(provedBy:passphrase:)] {
            await #expect(throws: RootTravel.TravelError.otherRoot) { try await act(file, passphrase) }
        }
        // The other's key under this one's certificate: the certificate is authenticated with the key.
        let own = String(decoding: try await travel.export(passphrase: passphrase).formatted(), as: UTF8.self)
        let other = String(decoding: try file.formatted(), as: UTF8.self)
        let mixed = Bytes(
            text: other.replacing(
                try await there.stored().rootCertificate, with: try await here.stored().rootCertificate))
        await #expect(throws: RootFile.FileError.wrongPassphrase) {
            try await travel.remove(provedBy: try RootFile(mixed), passphrase: passphrase)
        }
        #expect(try travel.state().isHere)
        for spoilt in ["", "{}", own.replacing("root-v1", with: "root-v2"), own.replacing("certificate", with: "x")] {
            #expect(throws: RootFile.FileError.malformed) { try RootFile(Bytes(text: spoilt)) }
        }
        let dear = own.replacing("\"memory_kib\":32,", with: "\"memory_kib\":1073741823,")
        #expect(dear != own)
        await #expect(throws: RootFile.FileError.unacceptableDerivation) {
            try await travel.remove(provedBy: try RootFile(Bytes(text: dear)), passphrase: passphrase)
        }
    }
}
