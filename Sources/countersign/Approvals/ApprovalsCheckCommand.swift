import Approvals
import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Wallet

/// `countersign approvals check`.
struct ApprovalsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a receipt of an approval. Needs no network and no wallet.",
        discussion: """
            Shows what was asked, word for word as people saw it, what they answered and when. Every signature is checked: \
            the service's, and that of each device that answered.

            Exit codes: 0 every signature holds and you trust the service; 1 something does not hold; 2 could not tell, \
            because you have not said that you trust the service, or an error.

              countersign approvals check transfer.approval --trust bank.example=BAh3…
            """)

    @Argument(help: "The receipt: a file, 'authreq:2:…', or '-' for standard input.", completion: .file())
    var receipt: String
    @Option(
        help: """
            A service that you trust: its domain, '=', and its key, 65 bytes in base64url, as the service or its \
            organisation tells you. May be repeated.
            """) var trust: [String] = []
    @OptionGroup var output: OutputOptions

    func run() throws {
        let bytes = try read()
        let trusted = try trust.map(Self.service)
        guard let sender = TrustedApprovalService(of: bytes) else { throw refused(.malformed) }
        let isTrusted = trusted.contains(sender)
        let checked: VerifiedApprovalReceipt
        do throws(ApprovalReceiptError) {
            // Of a service that nobody vouches for, too: a broken receipt is broken, no matter who made it.
            checked = try ApprovalReceipt.verify(bytes, trusting: [sender], suite: SwiftCryptoSuite())
        } catch {
            throw refused(error)
        }
        // The domain with another key than the one that is trusted is a no, not a question.
        if !isTrusted, trusted.contains(where: { $0.id == sender.id }) { throw refused(.unknownService) }
        show(checked, isTrusted: isTrusted)
        guard isTrusted else { throw ExitCode(2) }
    }

    private func refused(_ error: ApprovalReceiptError) -> CommandError {
        CommandError("the receipt proves nothing: \(error.words) (\(error.name))", isRefusal: true)
    }

    private func read() throws -> Bytes {
        if receipt == "-" {
            return Bytes(try FileHandle.standardInput.read(upToCount: ApprovalReceipt.maximumLength + 1) ?? Data())
        }
        if let message = try? ApprovalLink.parse(Bytes(text: receipt)) { return message }
        return try Files.read(receipt)
    }

    private static func service(_ text: String) throws -> TrustedApprovalService {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let point = Base64.decode(Bytes(text: String(parts[1])), .url),
            let key = P256PublicKey(x963: point)
        else {
            throw CommandError("--trust takes DOMAIN=KEY, the key as 65 bytes in base64url; not '\(text)'.")
        }
        return TrustedApprovalService(id: Bytes(text: parts[0].lowercased()), key: key)
    }

    private func show(_ receipt: VerifiedApprovalReceipt, isTrusted: Bool) {
        guard !output.json else { return Output.print(receipt.json(isTrusted: isTrusted)) }
        for line in receipt.lines { Output.line("  \(line.label): \(line.text.shown)") }
        Output.line()
        switch receipt.decision {
        case .allow(let code?): Output.line("Approved, with the code \(code.shown).")
        case .allow(nil): Output.line("Approved.")
        case .deny(let reason, let scope): Output.line("Denied: \(reason.name), for \(scope.name).")
        }
        for answer in receipt.answers {
            Output.line(
                "  \(answer.name.shown), \(Output.time(answer.time)), account \(answer.account.hex.prefix(16))…")
        }
        Output.line()
        let service = receipt.challenge.service.id.shown
        if isTrusted {
            Output.line(Terminal.styled("Genuine: \(service) asked, and these devices answered.", .good))
        } else {
            let key = receipt.challenge.serverKey.x963.base64URL
            Output.line(Terminal.styled("We can't confirm this yet: is this the key of \(service)?", .doubtful))
            Output.line("  \(key)")
            Output.line("If its organisation tells you the same key, run this again with --trust \(service)=KEY.")
        }
    }
}

extension VerifiedApprovalReceipt {
    /// For programs.
    fileprivate func json(isTrusted: Bool) -> JSON {
        var members: [(String, JSON)] = [
            (
                "answers",
                .array(
                    answers.map { answer in
                        .members([
                            ("account", .text(answer.account.base64URL)), ("key", .text(answer.device.x963.base64URL)),
                            ("name", .string(answer.name)), ("time", .integer(answer.time)),
                        ])
                    })
            ),
            ("created", .integer(challenge.created)), ("expires", .integer(challenge.expires)),
            ("key", .text(challenge.serverKey.x963.base64URL)),
            (
                "lines",
                .array(lines.map { .members([("label", .text("\($0.label)")), ("text", .string($0.text))]) })
            ),
            ("service", .string(challenge.service.id)), ("time", .integer(time)),
            ("verdict", .text(isTrusted ? "valid" : "could_not_tell")),
        ]
        switch decision {
        case .allow(let code):
            members.append(("result", .text("approved")))
            if let code { members.append(("code", .string(code))) }
        case .deny(let reason, let scope):
            members += [
                ("result", .text("denied")), ("reason", .text("\(reason.name)")), ("scope", .text("\(scope.name)")),
            ]
        }
        return .members(members)
    }
}
