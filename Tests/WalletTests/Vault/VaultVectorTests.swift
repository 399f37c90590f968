import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet

/// The examples of `docs/vault-format.md` that need the wallet's own code: statements, and files behind links.
@Suite("The examples of the vault's format")
struct VaultVectorTests {
    private static func file() throws -> JSON {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Core/Tests/VaultTests/Fixtures/vault.json").standardizedFileURL
        return try JSON.parse(Bytes(Data(contentsOf: path)))
    }

    private static func text(_ json: JSON, _ name: StaticString) throws -> Bytes {
        guard let text = json[name]?.string else { throw CocoaError(.fileReadCorruptFile) }
        return text
    }

    private static func hex(_ json: JSON, _ name: StaticString) throws -> Bytes {
        guard let bytes = Hex.decode(try text(json, name)) else { throw CocoaError(.fileReadCorruptFile) }
        return bytes
    }

    @Test("what a member and a caretaker are given is believed, and opens on each of their devices")
    func grants() async throws {
        let file = try Self.file()
        let compartment = try #require(file["compartment"])
        let inbox = try #require(file["inbox"])
        let id = try CompartmentID(Self.hex(compartment, "id"))
        let expected: [VaultRole: SharedAccess] = [
            .writer: .compartment(
                try VaultSecret(Self.hex(compartment, "key")), name: try PlayedVault.name("Together")),
            .caretaker: .inbox(try Self.hex(inbox, "point"), name: try PlayedVault.name("inbox")),
        ]
        let grants = try #require(file["grants"]?.array)
        #expect(grants.count == 2)
        for given in grants {
            let role = try #require(VaultRole(rawValue: try Self.text(given, "role").text))
            let point = try Self.hex(given, "signing_point").base64URL
            let device = VaultDevice(
                id: "device", signingKey: point, encryptionKey: point, created: 0, receipt: Receipt(proof: ""))
            let recipient = VaultRecipient(account: "ada", name: "Ada Adams", devices: [device])
            let owner = try await VaultPerson(recipient, vouch: { _ in })
            let sharer = VaultSharer(
                account: try Self.text(given, "member").text, audience: try Self.text(given, "audience").text,
                signingKey: try SigningKey(), encryptionKey: try EncryptionKey())
            let shared = SharedVaultCompartment(
                compartment: id.text, owner: "ada", ownerName: "Ada Adams", role: role,
                sealed: try Self.hex(given, "given").base64URL, created: 0)
            let grant = try VaultGrant(shared.sealed)
            let signer = try grant.signer(of: shared, among: owner, for: sharer)
            #expect(signer == owner.devices[0])
            for device in try #require(given["devices"]?.array) {
                let key = try ECPrivateKey(.p256, scalar: Self.hex(device, "private_key"))
                let access = try grant.open(with: key, compartment: id)
                #expect(access != nil && access == expected[role])
            }
        }
    }

    @Test("the file behind a link opens with the link's key, and is packed alike")
    func link() throws {
        let file = try Self.file()
        let link = try #require(file["linked_file"])
        let key = try Self.hex(link, "key")
        let opened = try SecretBox(key: key).open(Self.hex(link, "sealed"), purpose: VaultLink.purpose)
        let packed = VaultLink.packed(
            name: try Self.text(link, "name"), type: try Self.text(link, "type"), try Self.hex(link, "content"))
        #expect(opened == packed)
        let check = try Self.text(link, "key_check").text
        #expect(check == VaultLink.check(of: key))
    }
}
