package import Encodings
import Interface
import Vault

/// Where a path leads: into the vault itself, or through a folder that stands for another compartment.
package struct VaultPlace: Sendable {
    /// What the rest of the path is in.
    package let vault: OpenVault
    /// The rest of the path; nothing for the top.
    package let path: String
    /// The names of the folders that stand for compartments and were gone through, with slashes between them.
    package let above: Bytes
    /// The last of these folders, as it is in the compartment around it; `nil` in the vault itself.
    package let door: VaultItem?
    /// Whether things may be changed there.
    package let mayWrite: Bool

    /// The items that the rest of the path names, with their whole paths.
    package func find() async throws -> [VaultItem] {
        try await vault.find(path).map { $0.below(above) }
    }

    /// Refuses somebody else's folder that one may only read.
    ///
    /// - Throws: `readOnly`.
    package func checkMayWrite() throws {
        guard mayWrite else { throw VaultFault.readOnly(above.text) }
    }
}

extension OpenVault {
    /// Goes through the folders of a path that stand for other compartments.
    ///
    /// What is in such a folder is asked for only when a path leads there.
    ///
    /// - Throws: `shareEnded` if somebody no longer shares theirs.
    package func place(of path: String) async throws -> VaultPlace {
        let names = path.split(separator: "/")
        for count in names.indices.map({ $0 + 1 }) where !isInner {
            guard let item = try? one(names.prefix(count).joined(separator: "/")) else { break }
            guard let key = door(item.id) else { continue }
            let share = share(item.id)
            let rest = names.dropFirst(count).joined(separator: "/")
            let inner = try await enter(key, share)
            let place = try await inner.place(of: path.hasSuffix("/") && !rest.isEmpty ? rest + "/" : rest)
            return VaultPlace(
                vault: place.vault, path: place.path,
                above: place.above.isEmpty ? item.path : item.path + [0x2F] + place.above, door: place.door ?? item,
                mayWrite: place.mayWrite && share?.mayWrite ?? true)
        }
        return VaultPlace(vault: self, path: path, above: [], door: nil, mayWrite: true)
    }

    /// Opens the compartment behind a folder.
    private func enter(_ key: VaultSecret, _ share: FolderShare?) async throws -> OpenVault {
        do {
            return try await inner(Compartment(key, suite: suite), isShared: share != nil)
        } catch let error as ProblemError where error.problem.status == 404 {
            guard let name = share?.ownerName else { throw error }
            throw VaultFault.shareEnded(name)
        }
    }

    /// Opens another compartment, at the same server and on the same device.
    func inner(_ compartment: Compartment, isShared: Bool) async throws -> OpenVault {
        try await OpenVault(
            compartment, server: server, folder: folder, isInner: isShared, pauses: pauses, now: now)
    }
}
