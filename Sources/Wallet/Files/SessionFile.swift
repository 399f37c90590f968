import Encodings

/// A session token.
///
/// It has no textual description, so that no log and no error text can hold it.
package struct SessionToken: Sendable, Equatable {
    let text: String

    /// A token as the server gave it.
    package init(_ text: String) { self.text = text }
}

/// The session token in a file of its own beside the wallet (`WALLET.session`), mode 0600: it ends without the
/// wallet being opened.
package struct SessionFile: Sendable {
    /// Where the token is.
    package let path: String

    init(walletPath: String) { path = walletPath + ".session" }

    /// The token, or `nil` when there is no session.
    package func read() -> SessionToken? {
        guard let bytes = try? AtomicFile.read(path, limit: 1024) else { return nil }
        let text = bytes.last == 0x0A ? Array(bytes.dropLast()) : bytes
        guard !text.isEmpty, text.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return SessionToken(String(decoding: text, as: UTF8.self))
    }

    /// Stores a token.
    package func write(_ token: SessionToken) throws(WalletError) {
        try AtomicFile.write(Bytes(text: token.text) + [0x0A], to: path)
    }

    /// Forgets the token.
    package func remove() { AtomicFile.remove(path) }
}
