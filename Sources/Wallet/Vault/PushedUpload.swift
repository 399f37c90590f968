import CryptoProvider
import Encodings
import Interface
import NIOCore
import Vault

/// The content of a file that comes in pieces: sealed, and sent as its parts become full.
struct PushedUpload {
    let target: NodeID?
    private let vault: OpenVault
    private let parent: OpenedNode
    private let metadata: NodeMetadata
    private let version: OpenedVersion
    private let content: Bytes
    private let id: String
    private let part: Int
    private var sealer: ContentSealer<SwiftCryptoSuite>
    private var waiting: Bytes
    private var number: Int64 = 0

    init(
        _ vault: OpenVault, size: UInt64, modified: Int64, parent: OpenedNode, target: NodeID?, name: NodeName
    ) async throws {
        (self.vault, self.parent, self.target) = (vault, parent, target)
        let now = vault.milliseconds
        version = try vault.compartment.newVersion(of: .random(vault.suite), size: size, now: now, suite: vault.suite)
        sealer = try version.sealer(vault.suite)
        waiting = sealer.header
        var metadata = NodeMetadata(.file, name: name, created: now, modified: max(0, modified * 1_000))
        (metadata.size, metadata.mediaType) = (size, VaultMediaTypes.type(of: name))
        self.metadata = metadata
        let upload = try await vault.begin(version)
        (content, id, part) = (try OpenVault.name(of: upload), upload.id, Int(upload.part))
    }

    mutating func write(_ bytes: ArraySlice<UInt8>) async throws {
        try sealer.update(bytes, into: &waiting)
        try await send(all: false)
    }

    mutating func finish() async throws -> OpenedNode {
        while !(try sealer.finish(into: &waiting)) { try await send(all: false) }
        try await send(all: true)
        return try vault.compartment.make(
            metadata, in: parent.key, id: version.node, content: (version, content), suite: vault.suite)
    }

    private mutating func send(all: Bool) async throws {
        while waiting.count >= part || (all && !waiting.isEmpty) {
            let buffer = ByteBuffer(bytes: waiting.prefix(part))
            waiting.removeFirst(buffer.readableBytes)
            let (vault, number, id) = (vault, number, id)
            try await vault.patiently { try await vault.server.putVaultPart(number, of: id, buffer) }
            self.number += 1
        }
    }
}
