import Encodings
import Foundation
import Wallet

/// `countersign wallet enrol` with a service's offer: this wallet will answer what the service asks.
struct ServiceEnrolment {
    /// The link, the name of a PNG or of a file, or `-`.
    let offer: String
    let name: String?
    /// The file of a wallet that is enrolled there already.
    let voucher: String?
    /// How, if every device is lost.
    let recovery: ApprovalWayBack?
    let options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let other =
            if let voucher {
                try await WalletClient.unlock(path: voucher, passphrase: try options.passphrase())
            } else { nil as WalletClient? }
        let taken = try await client.takeOffer(
            try ApprovalText.read(offer), name: name ?? ProcessInfo.processInfo.hostName, voucher: other,
            recovery: recovery)
        let service = "\(Bytes(text: taken.service).shown) (\(Bytes(text: taken.domain).shown))"
        Terminal.note(
            "\(service) asks to enrol this wallet. Its page must show these six digits:\n\n"
                + "  \(Terminal.styled(taken.code, .strong))\n\n"
                + "Say there that they are the same. If they differ, end it there: somebody else took the offer.")
        let device = try await client.waitForConfirmation(taken)
        guard !options.output.json else { return try Output.print(value: device) }
        Output.line("Enrolled. 'countersign wallet challenges' shows what \(service) asks.")
    }
}

/// A message of approvals that was given as a link, a picture, a file, or on standard input.
enum ApprovalText {
    /// The longest text: a question of 64 KiB as a link.
    private static let maximumSize = 1 << 18

    static func read(_ given: String) throws -> String {
        let bytes: Bytes
        if given == "-" {
            bytes = Bytes(try FileHandle.standardInput.read(upToCount: maximumSize) ?? Data())
        } else if given.lowercased().hasSuffix(".png") || !FileManager.default.fileExists(atPath: given) {
            return try CodePicture.text(given)
        } else {
            bytes = try Files.read(given)
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A question, and its code if a picture of the asking page has both, as `LINK#CODE`.
    ///
    /// A code in a text says nothing: anybody can send it.
    static func readQuestion(_ given: String) throws -> (question: String, code: String?) {
        let text = try read(given)
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard text.hasPrefix("authreq:2:") || text.hasPrefix("web+authreq:2:"), parts.count == 2,
            (2...12).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return (text, nil) }
        return (String(parts[0]), given.lowercased().hasSuffix(".png") ? String(parts[1]) : nil)
    }
}
