import Encodings
import Wallet

/// `countersign wallet answer` and `countersign wallet enrol` with a challenge of version 1.
struct OriginalAnswer {
    /// `authreq://…`.
    let text: String
    let confirmation: ConfirmationOptions
    let options: WalletOptions

    /// Allows what the site asks.
    func allow() async throws {
        let client = try await options.unlock()
        let shown = try await client.original(text)
        show(shown)
        try Terminal.confirm("Allow exactly this?", yes: confirmation.yes)
        try await client.allow(shown)
        report("Allowed.")
    }

    /// Enrols this wallet at a site.
    func enrol(serverKey: Bytes) async throws {
        let client = try await options.unlock()
        let shown = try await client.original(text, serverKey: serverKey)
        show(shown)
        try Terminal.confirm("Enrol this wallet at this site?", yes: confirmation.yes)
        try await client.allow(shown)
        report("Enrolled. Answer what the site asks with 'countersign wallet answer authreq://… --allow'.")
    }

    /// Every word of the text is what is signed; each line is on a line of its own, with its label.
    private func show(_ shown: ShownOriginal) {
        Terminal.note("service: \(shown.service.shown)")
        Terminal.note("title: \(shown.title.shown)")
        for line in shown.body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            Terminal.note("text: \(Bytes(line).shown)")
        }
        Terminal.note("expires: \(Output.time(shown.expires))")
    }

    private func report(_ words: String) {
        guard !options.output.json else { return Output.print(.members([("success", .bool(true))])) }
        Output.line(words)
    }
}
