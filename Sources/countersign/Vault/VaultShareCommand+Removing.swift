import Encodings
import Wallet

// The end of a shared folder.
extension VaultShareCommand {
    /// Refuses a folder of somebody else, for what only its owner does.
    func checkIsOwn(_ item: VaultItem, _ vault: OpenVault) async throws {
        guard let name = await vault.share(item.id)?.ownerName else { return }
        let (owner, path) = (Bytes(text: name).shown, item.path.shown)
        throw CommandError(
            "\(owner) shares \(path) with you, so only they can do this. You can leave it with --leave", isRefusal: true
        )
    }

    /// Destroys a folder for everybody, after the person has said yes.
    func deleteForAll(_ item: VaultItem, _ sharing: VaultSharing) async throws {
        let path = item.path.shown
        try Terminal.confirm(
            "Delete \(path) for everybody? It is destroyed at once with everything in it, and nobody can bring it back.",
            yes: confirmation.yes)
        try await sharing.delete(item.id)
        tell("\(path) is deleted for everybody.", item)
    }

    /// Leaves a folder of somebody else, after the person has said yes.
    func leaveShared(_ item: VaultItem, _ vault: OpenVault, _ sharing: VaultSharing) async throws {
        let path = item.path.shown
        guard let name = await vault.share(item.id)?.ownerName else {
            throw CommandError(
                "nobody else shares \(path) with you. Your own folder ends with --delete", isRefusal: true)
        }
        let owner = Bytes(text: name).shown
        try Terminal.confirm(
            "Leave \(path)? \(owner) still has it, and can share it with you again.", yes: confirmation.yes)
        try await sharing.leave(item.id)
        tell("\(path) is not in your vault any more. \(owner) still has it.", item)
    }

    private func tell(_ words: String, _ item: VaultItem) {
        guard !options.output.json else {
            return Output.print(
                .members([("id", .text(item.id.text)), ("ok", .bool(true)), ("path", .string(item.path))]))
        }
        Output.line(words)
    }
}
