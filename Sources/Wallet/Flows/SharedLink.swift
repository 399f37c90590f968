import CryptoProvider
import Encodings

/// A link to a presentation.
///
/// Its fragment holds the key, which no browser and no wallet sends to the server.
package struct SharedLink: Sendable, Equatable {
    /// The organisation's public URL.
    package let server: String
    /// The share's id.
    package let id: String
    /// 32 bytes.
    let key: Bytes

    static let purpose = "countersign share v1"

    /// A mark that tells this key from others and says nothing about it.
    ///
    /// The server compares it before it spends an opening.
    var keyCheck: String { SwiftCryptoSuite().sha256(Bytes(text: "countersign share key v1") + key).base64URL }

    init(server: String, id: String, key: Bytes) {
        self.server = server
        self.id = id
        self.key = key
    }

    /// Reads `<public URL>/s/<id>#<key>`.
    package static func parse(_ text: String) throws(WalletError) -> SharedLink {
        let halves = Bytes(text: text).trimmingSpace().split(at: UInt8(ascii: "#"))
        guard halves.count == 2, let key = Base64.decode(halves[1], .url), key.count == 32 else { throw .badLink }
        let parts = halves[0].text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[3] == "s", let id = try? ServerClient.segment(String(parts[4])) else {
            throw .badLink
        }
        let server = try ServerAddress(parts[0..<3].joined(separator: "/"))
        return SharedLink(server: server.text, id: id, key: key)
    }

    /// The link.
    package var text: String { "\(server)/s/\(id)#\(key.base64URL)" }
}
