import Encodings
import Interface
import Wallet

// Links to single files and notes.
extension VaultShareCommand {
    /// Makes a link, and shows it and its code this once.
    func makeLink(_ path: String, _ vault: OpenVault, _ sharing: VaultSharing) async throws {
        let place = try await vault.place(of: path)
        let item = try await place.vault.one(place.path).below(place.above)
        let made = try await sharing.makeLink(
            to: item, of: place.vault, lifetime: Int64(days) * 86_400, maximumViews: views)
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("code", .text(made.code)), ("expires", .integer(made.share.expires)), ("id", .text(made.share.id)),
                    ("link", .text(made.text)), ("path", .string(item.path)), ("views", .integer(Int64(views))),
                ]))
        }
        Output.line("link: \(made.text)")
        Output.line("code: \(Terminal.styled(made.code, .strong))")
        Output.line(
            "They are shown this once. The link works until \(Output.time(made.share.expires)), "
                + (views == 1 ? "once." : "\(views) times."))
        Output.line("Send them by two ways. Anyone who has both can open it in a browser, without an account.")
    }

    /// Shows the account's links.
    func show(linksOf sharing: VaultSharing) async throws {
        let links = try await sharing.links()
        guard !options.output.json else {
            return Output.print(.members([("items", .array(links.map { $0.share.json(name: $0.name) }))]))
        }
        guard !links.isEmpty else {
            return Output.line("No links. Make one with 'countersign wallet vault share PATH --link'.")
        }
        Output.table(
            ["ID", "NAME", "UNTIL", "VIEWS", ""],
            links.map { share, name in
                [
                    share.id, name?.shown ?? "a file", Output.time(share.expires),
                    "\(share.views) of \(share.maximumViews)", share.ending,
                ]
            })
    }

    /// Stops a link; the vault need not open for it.
    func stopLink(_ id: String) async throws {
        let client = try await options.wallet.unlock()
        try await client.stopVaultLink(id)
        guard !options.output.json else { return Output.print(.members([("ok", .bool(true))])) }
        Output.line("Stopped.")
    }
}

extension Share {
    /// All that is known, for programs.
    fileprivate func json(name: Bytes?) -> JSON {
        var members: [(String, JSON)] = [
            ("id", .text(id)), ("created", .integer(created)), ("expires", .integer(expires)),
            ("views", .integer(Int64(views))), ("maximum_views", .integer(Int64(maximumViews))),
        ]
        if let name { members.append(("name", .string(name))) }
        if let stopped { members.append(("stopped", .integer(stopped))) }
        if let stoppedByWrongCodes { members.append(("stopped_by_wrong_codes", .bool(stoppedByWrongCodes))) }
        return .members(members)
    }
}
