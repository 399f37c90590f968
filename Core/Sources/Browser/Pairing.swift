import BrowserCalls
import Documents
import Encodings

extension Browser {
    /// Adding a device: the code that the new one shows to the first.
    static let pairing = [
        Function("pairing_code", ["server", "pairing", "key", "encryption_key"], writePairingCode),
        Function("read_pairing_code", ["text"], readPairingCode),
    ]

    /// `{server, pairing, key, encryption_key}` → `{text}`, a link; keys are thumbprints.
    private static func writePairingCode(_ call: Call) throws(BrowserError) -> Answer {
        let code = PairingCode(
            server: try call.text("server", maximum: 255), pairing: try call.text("pairing", maximum: 64),
            signingKey: try call.bytes("key", count: 32), encryptionKey: try call.bytes("encryption_key", count: 32))
        return Answer([("text", .string(code.link))])
    }

    /// `{text}` → the members of the code.
    private static func readPairingCode(_ call: Call) throws(BrowserError) -> Answer {
        let text = try call.text("text")
        do {
            let code = try PairingCode.parse(text)
            return Answer([
                ("server", .string(code.server)), ("pairing", .string(code.pairing)),
                ("key", .base64URL(code.signingKey)), ("encryption_key", .base64URL(code.encryptionKey)),
            ])
        } catch {
            throw BrowserError(error)
        }
    }
}
