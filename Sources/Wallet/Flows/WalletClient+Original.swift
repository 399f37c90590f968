import Approvals
import AsyncHTTPClient
import CryptoProvider
package import Encodings
import NIOCore
import NIOHTTP1

/// What a site asks in version 1, checked against the key that the wallet keeps of it.
package struct ShownOriginal: Sendable {
    /// What the site calls itself.
    package let service: Bytes
    /// What it is about.
    package let title: Bytes
    /// The whole text.
    package let body: Bytes
    /// Until when it can be answered, in seconds since 1970.
    package let expires: Int64
    let challenge: OriginalChallenge
    let key: WalletSecrets.OriginalAppKey
}

/// Version 1, the original's protocol, as its app speaks it.
extension WalletClient {
    /// Whether a text is a challenge of version 1.
    package static func isOriginal(_ text: String) -> Bool { Bytes(text: text).starts(with: OriginalLink.scheme) }

    /// One challenge, with all that is signed for a person to read.
    ///
    /// - Parameter serverKey: the site's RSA key in PEM, when this wallet does not keep it yet: only to enrol.
    /// - Throws: `badApproval` unless a site has signed it whose key the wallet knows, and in time.
    package func original(_ link: String, serverKey: Bytes? = nil) throws -> ShownOriginal {
        guard let parsed = try? OriginalLink.parse(Bytes(text: link)) else {
            throw WalletError.badApproval("that is no challenge of version 1")
        }
        let own = try known(parsed, serverKey)
        let challenge = parsed.challenge
        guard challenge.isEnrolment == (serverKey != nil) else {
            throw WalletError.badApproval(
                challenge.isEnrolment
                    ? "it asks to enrol this wallet; use 'countersign wallet enrol'" : "it does not ask to enrol")
        }
        guard now() <= challenge.expiry else {
            throw WalletError.badApproval("the time in which it could be answered is over")
        }
        return ShownOriginal(
            service: challenge.subtitle, title: challenge.shortTitle, body: challenge.body, expires: challenge.expiry,
            challenge: challenge, key: own)
    }

    /// Allows what a person was shown: version 1 knows no other answer.
    package func allow(_ shown: ShownOriginal) async throws {
        guard let secret = shown.key.key.fromBase64URL else { throw WalletError.tampered }
        // The key is in the file before the site learns of it.
        if shown.challenge.isEnrolment { try keep(shown.key) }
        let key = try OriginalSigningKey(rawRepresentation: secret)
        let body: Bytes
        do throws(ApprovalError) {
            guard let signature = try? key.sign(shown.challenge.canonical()) else { throw .unsupportedKey }
            body = try OriginalReply.body(
                messageID: shown.challenge.messageID, signature: signature, publicKey: key.publicKey, token: [])
        } catch {
            throw WalletError.badApproval("the reply could not be made")
        }
        let answer = try await Self.reply(body, to: shown.challenge.responseURL)
        guard answer == nil else { throw WalletError.badApproval("the site has refused the reply: \(answer ?? "")") }
        guard shown.challenge.isEnrolment else { return }
        var enrolled = shown.key
        enrolled.isEnrolled = true
        try keep(enrolled)
    }

    /// What the wallet keeps of the site that signed it.
    private func known(
        _ parsed: UnverifiedOriginalChallenge, _ serverKey: Bytes?
    ) throws -> WalletSecrets.OriginalAppKey {
        for own in wallet.secrets.originals ?? [] where serverKey != nil || own.isEnrolled {
            if let key = try? OriginalServerKey(pem: Bytes(text: own.serverKey)),
                (try? parsed.verified(by: key, suite: suite)) != nil
            {
                return own
            }
        }
        guard let serverKey else {
            throw WalletError.badApproval("no site has signed it with which this wallet is enrolled")
        }
        guard let key = try? OriginalServerKey(pem: serverKey) else {
            throw WalletError.invalid("the site's key is an RSA public key of 2,048 to 4,096 bits in PEM")
        }
        guard (try? parsed.verified(by: key, suite: suite)) != nil else {
            throw WalletError.badApproval("it is not signed with this key of the site")
        }
        return WalletSecrets.OriginalAppKey(
            serverKey: serverKey.text, service: parsed.challenge.subtitle.text,
            key: try SigningKey().rawRepresentation.base64URL, isEnrolled: false)
    }

    private func keep(_ own: WalletSecrets.OriginalAppKey) throws {
        try wallet.update { _, secrets in
            var all = secrets.originals ?? []
            if let place = all.firstIndex(where: { $0.key == own.key }) { all[place] = own } else { all.append(own) }
            secrets.originals = all
        }
    }

    /// Posts a reply.
    ///
    /// - Returns: why the site refused it; `nil` if it did not.
    private static func reply(_ body: Bytes, to url: Bytes) async throws -> String? {
        let text = url.text
        guard let scheme = text.firstRange(of: "://") else { throw WalletError.unacceptableAddress(text) }
        let path = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
        let client = ServerClient(address: try ServerAddress(String(text[..<path])))
        let request = client.request(.POST, path == text.endIndex ? "/" : String(text[path...]), body: body)
        let response = try await client.execute(request, timeout: .seconds(30))
        // The status does not count: the original answers every reply with 200.
        guard let buffer = try? await response.body.collect(upTo: 65_536),
            let json = try? JSON.parse(Bytes(buffer: buffer))
        else { throw WalletError.unexpectedAnswer("no JSON") }
        if json["success"] == .bool(true) || json["success"] == .integer(1) { return nil }
        return json["error"]?.string.map(\.text) ?? "it did not say why"
    }
}
