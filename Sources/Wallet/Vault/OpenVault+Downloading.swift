import CryptoProvider
import Encodings
import NIOCore
package import Vault

extension OpenVault {
    /// Opens the content of a file as it comes, and hands on what is authentic.
    ///
    /// It goes on where it was if the server was away. Only when this returns is the content whole.
    ///
    /// - Parameter number: of the version; 0 is the newest.
    package func read(
        _ id: NodeID, version number: Int = 0, into target: any VaultTarget, _ progress: VaultProgress = .none
    ) async throws {
        let node = try opened(id)
        let name = String(decoding: node.metadata.name.bytes, as: UTF8.self)
        guard node.metadata.kind == .file, node.record.versions.indices.contains(number) else {
            throw node.metadata.kind == .file ? VaultFault.notFound("\(name), version \(number)") : .notAFile(name)
        }
        let record = node.record.versions[number]
        let version: OpenedVersion
        do {
            version = try compartment.open(record, of: node.key, suite: suite)
        } catch {
            throw VaultFault.contentBroken(name)
        }
        let receiver = try ContentReceiver(version, target, progress)
        var pauses = self.pauses[...]
        while await receiver.taken < version.sealedLength {
            let before = await receiver.taken
            do {
                try await server.vaultContent(record.contentText, from: before) { try await receiver.take($0) }
                // An answer that ended in good order and is too short was cut on purpose.
                guard await receiver.taken == version.sealedLength else { throw VaultFault.contentBroken(name) }
            } catch is VaultError {
                throw VaultFault.contentBroken(name)
            } catch  where Self.isPassing(error) {
                if await receiver.taken > before { pauses = self.pauses[...] }
                guard let pause = pauses.popFirst() else { throw error }
                try await Task.sleep(for: pause)
            }
        }
        do {
            try await receiver.finish()
        } catch is VaultError {
            throw VaultFault.contentBroken(name)
        }
    }
}

/// Ciphertext on its way to where its content goes.
private actor ContentReceiver {
    /// How many bytes of ciphertext have come.
    private(set) var taken: UInt64 = 0
    private let version: OpenedVersion
    private var opener: ContentOpener<SwiftCryptoSuite>
    private let target: any VaultTarget
    private let progress: VaultProgress
    private var content: Bytes = []
    private var written: UInt64 = 0

    init(_ version: OpenedVersion, _ target: any VaultTarget, _ progress: VaultProgress) throws {
        self.version = version
        opener = try version.opener(SwiftCryptoSuite())
        self.target = target
        self.progress = progress
    }

    func take(_ buffer: ByteBuffer) throws {
        guard UInt64(buffer.readableBytes) <= version.sealedLength - taken else { throw VaultError.malformed }
        try opener.update(Bytes(buffer: buffer)[...], into: &content)
        taken += UInt64(buffer.readableBytes)
        try hand()
    }

    func finish() throws {
        try opener.finish(into: &content)
        try hand()
    }

    private func hand() throws {
        guard !content.isEmpty else { return }
        try target.write(content[...])
        written += UInt64(content.count)
        content.removeAll(keepingCapacity: true)
        progress.moved(written, version.size)
    }
}
