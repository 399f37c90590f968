import CryptoProvider
import Foundation
import Wallet

/// A person with an account and a wallet file, known to every server.
struct HammerPerson: Sendable {
    let username: String
    /// Their wallet, once for each server.
    let clients: [WalletClient]
}

/// The wallets of the hammer: files in one folder, which open with a passphrase that the hammer chose.
struct HammerPeople: Sendable {
    let folder: String
    let servers: HammerServers

    /// The passphrase of every wallet.
    ///
    /// Nobody real should use it.
    static let passphrase = "the hammer chose this passphrase"

    /// As cheap to open as can be: the load is for the servers.
    private static let limits = Argon2Limits.forTests

    private func path(_ username: String) -> String { "\(folder)/wallets/\(username).wallet" }

    /// Names and passphrase for a new account.
    func person(_ username: String) -> NewPerson {
        NewPerson(username: username, name: "Person \(username)", passphrase: Self.passphrase)
    }

    /// Where a new wallet goes.
    func place(_ username: String, server: Int) -> NewWallet {
        var place = NewWallet(
            path: path(username), server: servers.addresses[server].text, deviceName: "hammer",
            derivation: .forTests, limits: Self.limits)
        place.forwardedFor = Self.address(of: username)
        return place
    }

    /// A server, without a session, as seen from one person's place.
    func client(of username: String, server: Int) -> ServerClient {
        ServerClient(address: servers.addresses[server], forwardedFor: Self.address(of: username))
    }

    /// Whether there is a wallet.
    func has(_ username: String) -> Bool { WalletFile(path: path(username), limits: Self.limits).exists }

    /// A wallet that was just made, at every server.
    func spread(_ username: String, _ client: WalletClient) async -> HammerPerson {
        var clients: [WalletClient] = []
        for server in servers.addresses.indices {
            clients.append(await client.through(self.client(of: username, server: server)))
        }
        return HammerPerson(username: username, clients: clients)
    }

    /// Opens a wallet that is there.
    func unlock(_ username: String) async throws -> HammerPerson {
        await spread(
            username,
            try await WalletClient.unlock(path: path(username), passphrase: Self.passphrase, limits: Self.limits))
    }

    /// An address for each name, as if everybody sat somewhere else: the limits of one address are not what is tried.
    private static func address(of username: String) -> String {
        let digits = username.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return "10.\(digits >> 16 & 255).\(digits >> 8 & 255).\(digits & 255)"
    }
}
