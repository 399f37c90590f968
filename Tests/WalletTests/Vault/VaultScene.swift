import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet

/// A vault at a played server, and devices that open it.
struct PlayedVault: Sendable {
    let server: PlayedVaultServer
    let compartment: Compartment
    let scratch: Scratch
    let suite = SwiftCryptoSuite()

    /// - Parameter known: a server that has other vaults too.
    init(part: Int64 = 50_000, seed: UInt64 = 1, at known: PlayedVaultServer? = nil) async throws {
        scratch = try Scratch()
        server = known ?? PlayedVaultServer(part: part, seed: seed)
        compartment = try .random(suite)
        await server.make(
            NewVaultCompartment(
                id: compartment.id.text, head: try VaultHead().sealed(of: compartment, suite: suite).base64URL))
    }

    func path(_ name: String) -> String { "\(scratch.folder)/\(name)" }

    /// Opens it on a device, whose memory has a name.
    func open(_ device: String = "one") async throws -> OpenVault {
        try await OpenVault(
            compartment, server: server, folder: VaultFolder(path: path(device)),
            pauses: Array(repeating: .milliseconds(1), count: 30))
    }

    /// A file of this machine.
    func file(_ bytes: Bytes, _ name: String = "source") throws -> FileSource {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return try FileSource(path(name))
    }

    static func name(_ text: String) throws -> NodeName { try NodeName(Bytes(text: text)) }
    static func description(_ text: String) throws -> FileDescription { FileDescription(name: try name(text)) }

    /// Puts a content under a name at the top.
    @discardableResult
    func put(_ bytes: Bytes, _ name: String, into vault: OpenVault) async throws -> NodeID {
        try await vault.put(file(bytes), Self.description(name), in: .root, replacing: false)
    }

    /// The content of a file.
    func read(_ id: NodeID, of vault: OpenVault) async throws -> Bytes {
        let target = MemoryTarget()
        try await vault.read(id, into: target)
        return target.bytes
    }

    static func content(_ count: Int, _ factor: Int = 31) -> Bytes {
        Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* factor &+ $0 >> 8) })
    }
}

/// Which fault an act ends with.
func fault(_ act: () async throws -> Void) async -> VaultFault? {
    do {
        try await act()
        return nil
    } catch let error as VaultFault {
        return error
    } catch {
        Issue.record(error)
        return nil
    }
}
