import Encodings
import Interface
import Vault
import Wallet

// What others share with the person.
extension VaultShareCommand {
    /// Shows what others share, and the fingerprint that they compare.
    func show(receivedBy sharing: VaultSharing, _ vault: OpenVault) async throws {
        let received = try await sharing.received()
        var items: [(number: Int, shared: SharedVaultCompartment, path: Bytes?)] = []
        for (index, one) in received.enumerated() {
            let folder = if let id = one.folder { await vault.item(id) } else { VaultItem?.none }
            items.append((index + 1, one.shared, folder?.path))
        }
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("fingerprint", .text(sharing.sharer.print)),
                    ("items", .array(items.map { $0.shared.json(number: $0.number, path: $0.path) })),
                ]))
        }
        Output.line("Your fingerprint, for others to compare: \(sharing.sharer.print)")
        guard !items.isEmpty else { return Output.line("Nobody shares a folder with you.") }
        Output.table(
            ["NUMBER", "FROM", "YOU", "SINCE", "IN YOUR VAULT", "ID"],
            items.map { number, shared, path in
                [
                    String(number), Bytes(text: shared.ownerName).shown, shared.role.words,
                    Output.time(shared.created), path?.shown ?? Self.next(number, shared.role), shared.compartment,
                ]
            })
    }

    /// What to do with something that is not in the vault.
    private static func next(_ number: Int, _ role: VaultRole) -> String {
        role == .caretaker ? "an inbox: 'vault give \(number) FILE'" : "not yet: --take \(number)"
    }

    /// Puts what somebody shares into the vault, after it was compared whose it is.
    func receive(_ named: String, _ vault: OpenVault, _ sharing: VaultSharing) async throws {
        let received = try await sharing.received().map(\.shared)
        let place = received.indices.first { String($0 + 1) == named || received[$0].compartment == named }
        guard let shared = place.map({ received[$0] }) else {
            throw CommandError(
                "nobody shares \(Bytes(text: named).shown) with you. Without options, the command lists what there is",
                isRefusal: true)
        }
        let (expected, yes) = (fingerprint.map(VaultPrint.normalised), confirmation.yes)
        let folder = try await sharing.open(shared) { device in
            try VaultComparing.isThem(device, expected: expected, yes: yes)
        }
        let (parent, name) = try await vault.destination(path, named: folder.name)
        let id = try await sharing.take(folder, into: parent, as: name)
        guard let item = await vault.item(id) else { throw VaultFault.notFound("id:\(id.text)") }
        guard !options.output.json else {
            return Output.print(.members([("item", item.json), ("role", .text(shared.role.rawValue))]))
        }
        Output.line("\(item.path.shown) is in your vault: \(shared.role.wordsForYou).")
    }
}

extension SharedVaultCompartment {
    /// All that is known, for programs.
    fileprivate func json(number: Int, path: Bytes?) -> JSON {
        var members: [(String, JSON)] = [
            ("number", .integer(Int64(number))), ("compartment", .text(compartment)), ("owner", .text(owner)),
            ("owner_name", .text(ownerName)), ("role", .text(role.rawValue)), ("created", .integer(created)),
        ]
        if let path { members.append(("path", .string(path))) }
        return .members(members)
    }
}
