import CryptoProvider
package import Encodings
package import Interface
package import Vault

/// A link to one file or note of a vault, which opens without an account.
///
/// Its fragment holds the key, which no browser and no wallet sends to the server.
package struct VaultLink: Sendable {
    /// As the server lists it.
    package let share: Share
    /// To be told another way than the link.
    package let code: String
    /// The organisation's public URL.
    let server: String
    /// 32 bytes.
    let key: Bytes

    /// For what the content is sealed: no other box under the same key opens in its place.
    static let purpose = "countersign vault link v1"
    /// The longest `sealed` that the server takes, in characters: base64url makes four of three bytes.
    private static let longestSealed: UInt64 = 16_777_216
    /// How much longer a box is than its plaintext.
    private static let overhead: UInt64 = 28

    /// The link.
    package var text: String { "\(server)/v/\(share.id)#\(key.base64URL)" }

    /// What a link holds: the length of a JSON object with name and type, the object, and the bytes.
    static func packed(name: Bytes, type: Bytes, _ content: Bytes) -> Bytes {
        let head = JSON.members([("name", .string(name)), ("type", .string(type))]).serialized()
        return Array(bigEndianBytes(UInt64(head.count)).suffix(4)) + head + content
    }

    /// Whether so many bytes fit into a link.
    static func fits(_ count: UInt64) -> Bool { ((count + overhead) * 4 + 2) / 3 <= longestSealed }

    /// A mark that tells a key from others and says nothing about it.
    static func check(of key: Bytes) -> String {
        SHA256.hash(Bytes(text: "countersign share key v1") + key).base64URL
    }
}

/// What goes into memory, up to a limit.
private final class SmallTarget: VaultTarget {
    private let kept = Guarded(Bytes())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var bytes: Bytes { kept.withValue { $0 } }

    func write(_ bytes: ArraySlice<UInt8>) throws {
        let count = kept.withValue { kept in
            kept += bytes
            return kept.count
        }
        guard count <= limit else { throw VaultFault.tooLargeForLink(UInt64(count)) }
    }
}

// Links to things of the vault.
extension VaultSharing {
    /// Makes a link to a file or note.
    ///
    /// - Parameters:
    ///   - vault: what the item is in: the own vault, or one behind a folder of it.
    ///   - lifetime: in seconds.
    ///   - maximumViews: how often it may be opened.
    /// - Throws: `tooLargeForLink`, `notAFile`, `locked`.
    package func makeLink(
        to item: VaultItem, of vault: OpenVault, lifetime: Int64, maximumViews: Int
    ) async throws -> VaultLink {
        let file = try await content(of: item, in: vault)
        guard VaultLink.fits(UInt64(file.count)) else { throw VaultFault.tooLargeForLink(UInt64(file.count)) }
        let key = RandomBytes.make(32)
        let sealed = try SecretBox(key: key).seal(file, purpose: VaultLink.purpose).base64URL
        let known = await knownLinks()
        let before = Set(try await server.vaultLinks().map(\.id))
        // Not those that another device makes while this one is sent: they are in neither list.
        let over = known.subtracting(before)
        let share: Share
        do {
            share = try await server.makeVaultLink(
                NewVaultLink(
                    sealed: sealed, lifetime: lifetime, maximumViews: maximumViews,
                    keyCheck: VaultLink.check(of: key)))
        } catch  where OpenVault.isUncertain(error) {
            // A link whose answer was lost has a code that nobody knows: it is stopped.
            for link in try await server.vaultLinks() where !before.contains(link.id) && link.stopped == nil {
                try await server.stopVaultLink(link.id)
            }
            throw error
        }
        guard let code = share.code else { throw WalletError.unexpectedAnswer("no code") }
        _ = try ServerClient.segment(share.id)
        try await remember(share.id, .string(item.name), as: Self.links, without: over)
        try await remember(share.id, .string(Bytes(text: item.id.text)), as: Self.linked, without: over)
        return VaultLink(share: share, code: code, server: sharer.audience, key: key)
    }

    /// The account's links, each with the name that the vault remembers.
    package func links() async throws -> [(share: Share, name: Bytes?)] {
        let names = await home.remembered(Self.links)
        return try await server.vaultLinks().map { ($0, names?[bytes: Bytes(text: $0.id)]?.string) }
    }

    /// Ends the links to items, and to what is in them: they are being destroyed.
    package func endLinks(to ids: [NodeID]) async throws {
        let linked = await home.remembered(Self.linked)?.members ?? []
        var items: Set<String> = []
        for id in ids { items.formUnion(await home.below(id).map(\.text)) }
        let ending = Set(linked.filter { items.contains($0.value.string?.text ?? "") }.map { $0.name.text })
        guard !ending.isEmpty else { return }
        for link in try await server.vaultLinks() where ending.contains(link.id) && link.stopped == nil {
            try await server.stopVaultLink(link.id)
        }
    }

    /// The links of which the vault remembers something, those that are over among them.
    private func knownLinks() async -> Set<String> {
        var known: Set<String> = []
        for name in [Self.links, Self.linked] {
            known.formUnion((await home.remembered(name)?.members ?? []).map(\.name.text))
        }
        return known
    }

    /// Of each link, the name of what it leads to.
    private static let links = "links"
    /// Of each link, the item that it leads to.
    private static let linked = "linked"

    private func content(of item: VaultItem, in vault: OpenVault) async throws -> Bytes {
        switch item.kind {
        case .folder: throw VaultFault.notAFile(item.path.text)
        case .locked: throw VaultFault.locked(item.path.text)
        case .note:
            return VaultLink.packed(
                name: item.name + Bytes(text: ".txt"), type: Bytes(text: "text/plain"), try await vault.text(item.id))
        case .file:
            let size = item.size ?? 0
            guard VaultLink.fits(size) else { throw VaultFault.tooLargeForLink(size) }
            let target = SmallTarget(limit: 16 << 20)
            try await vault.read(item.id, into: target)
            return VaultLink.packed(name: item.name, type: item.mediaType ?? [], target.bytes)
        }
    }

    /// What a link leads to stays in the vault: the server knows neither the name nor the item.
    private func remember(_ id: String, _ value: JSON, as name: String, without over: Set<String>) async throws {
        try await home.remember(name) { known in
            let kept = (known?.members ?? []).filter { !over.contains($0.name.text) }
            return JSON.object(kept).with(Bytes(text: id), value)
        }
    }
}
