import CryptoProvider
import Encodings
import Foundation

@testable import Wallet

/// A folder of its own for one test, gone afterwards.
final class Scratch: Sendable {
    let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/wallet-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A wallet file that takes no time to open.
    var file: WalletFile { WalletFile(path: folder + "/wallet", limits: .forTests) }

    static let passphrase = "correct horse battery"
    static let root = "not a certificate"

    static func header(_ parameters: Argon2Parameters = .forTests) -> WalletHeader {
        WalletHeader(
            server: "https://sign.example.edu", publicURL: "https://sign.example.edu", username: "ada", account: "a1",
            device: "d1", derivation: KeyDerivation(parameters: parameters, salt: Bytes(repeating: 7, count: 16)))
    }

    static func secrets() throws -> WalletSecrets {
        WalletSecrets(
            signingKey: try SigningKey().rawRepresentation.base64URL,
            encryptionKey: try EncryptionKey().rawRepresentation.base64URL, authorityKey: nil,
            organisation: "Example University", root: "", logKey: "", checkpoint: nil, holders: [])
    }

    func create() async throws -> UnlockedWallet {
        try await file.create(header: Self.header(), secrets: Self.secrets(), passphrase: Self.passphrase)
    }

    func bytes() throws -> Bytes { Bytes(try Data(contentsOf: URL(fileURLWithPath: file.path))) }
    func replace(_ bytes: Bytes) throws { try Data(bytes).write(to: URL(fileURLWithPath: file.path)) }
}
