import CryptoProvider
import Encodings

extension OuterParser {
    static let keys = [
        OuterParser(
            name: "stored passphrase",
            good: bytes("$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$" + String(repeating: "A", count: 43)),
            maximumLength: 300,
            accepts: { input in
                guard let hash = accepted({ try PassphraseHash(input.asText) }) else { return false }
                try promise(hash.text == input.asText, "one spelling for one hash")
                return true
            }),
        OuterParser(
            name: "code that people type", good: bytes("7K3M-Q0XA-9TBE", "7k3m q0xa 9tbe"), maximumLength: 64,
            accepts: { input in
                guard let code = HumanCode.normalised(input.asText) else { return false }
                try promise(HumanCode.normalised(code.asText) == code, "what was read stays as it is")
                return true
            }),
        OuterParser(name: "sealed message", good: [sealed].compactMap { $0 }, accepts: isSealed),
    ]

    private static let recipient = try? EncryptionKey(rawRepresentation: Bytes(repeating: 1, count: 32))
    private static let plaintext = Bytes(text: "a package")
    private static let sealed = recipient.flatMap { try? JWE.seal(plaintext, to: $0.publicKey, type: "test") }

    private static func isSealed(_ input: Bytes) throws -> Bool {
        guard let recipient, let opened = accepted({ try JWE.open(input, with: recipient, type: "test") }) else {
            return false
        }
        try promise(opened == plaintext, "nothing opens but what was sealed")
        return true
    }
}
