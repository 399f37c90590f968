import CryptoProvider
import EllipticCurves
import Encodings
import Interface

@testable import Wallet

extension OuterParser {
    static let wallet = [
        OuterParser(name: "live events", good: events, accepts: areEvents),
        OuterParser(
            name: "server address",
            good: bytes("https://sign.example.org", "http://localhost:8080/", "https://[::1]:8443", "http://127.0.0.1"),
            maximumLength: 600,
            accepts: { input in
                guard let address = accepted({ try ServerAddress(input.asText) }) else { return false }
                try promise(accepted({ try ServerAddress(address.text) }) == address, "an address is one again")
                try promise(address.isLoopback || address.text.hasPrefix("https://"), "plain http stays on the machine")
                return true
            }),
        OuterParser(
            name: "shared link", good: bytes("https://sign.example.org/s/abc-1#" + String(repeating: "A", count: 43)),
            maximumLength: 600,
            accepts: { input in
                guard let link = accepted({ try SharedLink.parse(input.asText) }) else { return false }
                try promise(accepted({ try SharedLink.parse(link.text) }) == link, "a link is one again")
                return true
            }),
        OuterParser(name: "wallet file", good: walletFiles, accepts: isWallet),
        OuterParser(name: "server answers", good: answers, accepts: isAnswer),
        OuterParser(
            name: "private key file", good: keyFiles, maximumLength: 1_100,
            accepts: { input in
                guard let key = PicoPrivateKeyFile.decode(input) else { return false }
                let again = PicoPrivateKeyFile.decode(PicoPrivateKeyFile.encode(key))
                try promise(again?.publicKey == key.publicKey, "a key that was read is written and read")
                return true
            }),
    ]

    private static let events = bytes(
        "data: {\"kind\":\"request\",\"id\":\"r\",\"state\":\"pending\"}\n\n",
        ": heartbeat\r\n\r\ndata:{\"kind\":\"device\",\r\ndata:\"id\":\"d\",\"state\":\"x\"}\r\n\r\n",
        "\u{FEFF}event: x\rdata: {\"kind\":\"a\",\"id\":\"b\",\"state\":\"c\"}\r\r")

    /// At once and byte by byte.
    private static func areEvents(_ input: Bytes) throws -> Bool {
        var (whole, slow) = (EventParser(), EventParser())
        let events = whole.take(input).map(\.id)
        try promise(input.flatMap { slow.take([$0]).map(\.id) } == events, "it does not matter how a stream is cut")
        return !events.isEmpty
    }

    private static let walletFiles = bytes(
        #"""
        {"format":"countersign-wallet-v1","failed_unlocks":0,"header":{"server":"http://localhost:8080","public_url":"http://localhost:8080","username":"ada","account":"a","device":"d","derivation":{"name":"argon2id","memory_kib":65536,"passes":3,"lanes":4,"salt":"AAAAAAAAAAAAAAAAAAAAAA"}},"check":"AAAAAAAAAAAAAAAAAAAAAA","sealed":"AAAA"}
        """#)

    private static func isWallet(_ input: Bytes) throws -> Bool {
        guard let contents = accepted({ try WalletContents.parse(input) }) else { return false }
        try promise(accepted({ try WalletContents.parse(contents.formatted()) }) == contents, "what is written is read")
        try promise(contents.failedUnlocks >= 0, "failures are counted from 0")
        return true
    }

    /// Of every curve, with the number 1 as the key.
    private static let keyFiles = EllipticCurve.allCases.compactMap { curve in
        let one = Bytes(repeating: 0, count: curve.byteCount - 1) + [1]
        return (try? ECPrivateKey(curve, scalar: one)).map { PicoPrivateKeyFile.encode($0) }
    }

    private static let answers = bytes(
        #"{"id":"a","username":"ada","name":"Ada","role":"member","is_verified":true,"created":1790000000}"#,
        #"{"name":"U","public_url":"https://u.example","is_set_up":true,"root_certificate":"","root_fingerprint":"","log_key":"k"}"#,
        #"{"token":"t","expires":1790000000,"account":{"id":"a","username":"ada","name":"Ada","role":"member","is_verified":true,"created":1}}"#
    )

    /// As several of the values that a server answers with, and its times as days.
    private static func isAnswer(_ input: Bytes) -> Bool {
        let account = accepted { try InterfaceCoding.decode(Account.self, from: input) }
        let session = accepted { try InterfaceCoding.decode(NewSession.self, from: input) }
        let organisation = accepted { try InterfaceCoding.decode(Organisation.self, from: input) }
        for time in [account?.created, session?.expires].compactMap({ $0 }) { _ = WalletClient.day(time) }
        return account != nil || session != nil || organisation != nil
    }
}
