import CryptoProvider
import Foundation
import Wallet

/// The people of the demo, each with their own wallet file.
///
/// All wallets open with a passphrase that the demo chose.
struct DemoCast {
    /// What opens every wallet of the demo.
    ///
    /// Nobody real should use it.
    static let passphrase = "the demo chose this passphrase"

    let server: DemoServer
    let folder: String

    /// The main administrator.
    static let owner = NewPerson(username: "rector", name: "Ragnhild Rektor", passphrase: passphrase)
    /// An administrator of the registry.
    static let registrar = NewPerson(username: "registrar", name: "Reza Registrar", passphrase: passphrase)
    /// A student.
    static let student = NewPerson(username: "stella", name: "Stella Student", passphrase: passphrase)

    /// Where the wallet of a person is.
    func path(_ person: NewPerson) -> String { "\(folder)/\(person.username).wallet" }

    /// A place for the wallet of a person.
    func place(_ person: NewPerson, rootFingerprint: String? = nil) -> NewWallet {
        NewWallet(
            path: path(person), server: server.url, deviceName: "\(person.name)'s wallet",
            rootFingerprint: rootFingerprint)
    }

    /// Unlocks a wallet, as each of its commands does.
    func unlock(_ person: NewPerson) async throws -> WalletClient {
        try await WalletClient.unlock(path: path(person), passphrase: Self.passphrase)
    }
}
