package import CryptoProvider
import Encodings

/// The facts that a wallet shows before it is unlocked.
///
/// It is authenticated together with the secrets.
package struct WalletHeader: Sendable, Equatable {
    /// The server's address, as it was typed and checked.
    package var server: String
    /// The organisation's public URL: the audience of every statement.
    package var publicURL: String
    /// The account's username.
    package var username: String
    /// The account's id; empty until the server has said it.
    package var account: String
    /// The device's id; empty until the server has said it.
    package var device: String
    /// How the passphrase becomes a key.
    package var derivation: KeyDerivation

    /// A header of a wallet for this account.
    package init(
        server: String, publicURL: String, username: String, account: String, device: String,
        derivation: KeyDerivation
    ) {
        self.server = server
        self.publicURL = publicURL
        self.username = username
        self.account = account
        self.device = device
        self.derivation = derivation
    }

    init?(json: JSON) {
        guard let members = json.members, members.count == 6, let server = Self.text(json["server"]),
            let publicURL = Self.text(json["public_url"]), let username = Self.text(json["username"]),
            let account = Self.text(json["account"]), let device = Self.text(json["device"]),
            let derivation = json["derivation"].flatMap({ KeyDerivation(json: $0) })
        else { return nil }
        self.init(
            server: server, publicURL: publicURL, username: username, account: account, device: device,
            derivation: derivation)
    }

    var json: JSON {
        .members([
            ("server", .text(server)), ("public_url", .text(publicURL)), ("username", .text(username)),
            ("account", .text(account)), ("device", .text(device)), ("derivation", derivation.json),
        ])
    }

    private static func text(_ json: JSON?) -> String? {
        json?.string.map { String(decoding: $0, as: UTF8.self) }
    }
}
