import CryptoProvider
import Encodings
import Foundation
import Vault

/// What this device remembers of compartments, in a folder beside the wallet: `WALLET.vault`.
///
/// All of it is sealed under the keys of the compartments, and its names tell nobody which compartment is meant.
package struct VaultFolder: Sendable {
    /// Where it is.
    package let path: String
    /// 100,000 items, and a little more.
    private static let longest = 4 << 20

    /// A folder.
    package init(path: String) { self.path = path }

    init(walletPath: String) { self.init(path: walletPath + ".vault") }

    /// What was seen of a compartment; nothing at first.
    ///
    /// - Throws: `broken` if the file was changed: then nobody knows what this device has seen.
    func seen(_ compartment: Compartment) throws -> SeenState {
        guard let sealed = try AtomicFile.read(file("seen", compartment), limit: Self.longest) else {
            return SeenState()
        }
        do {
            return try SeenState(sealed, of: compartment, suite: SwiftCryptoSuite())
        } catch {
            throw WalletError.cannotRead(path: file("seen", compartment))
        }
    }

    /// Remembers what was seen, unless another command has seen more in the meanwhile.
    func remember(_ seen: SeenState, of compartment: Compartment) throws {
        let sealed = try seen.sealed(of: compartment, suite: SwiftCryptoSuite())
        let file = file("seen", compartment)
        try AtomicFile.whileLocked(file) { () throws(WalletError) in
            guard let known = try? self.seen(compartment), known.sequence > seen.sequence else {
                return try AtomicFile.write(sealed, to: file)
            }
        }
    }

    /// The upload of a source that was cut.
    func unfinished(_ source: String, _ compartment: Compartment) -> UnfinishedUpload? {
        guard let sealed = try? AtomicFile.read(upload(source, compartment), limit: Self.longest) else { return nil }
        return try? UnfinishedUpload(sealed, of: compartment, suite: SwiftCryptoSuite())
    }

    /// Keeps an upload, before what it vouches for goes out.
    func keep(_ unfinished: UnfinishedUpload, _ source: String, _ compartment: Compartment) throws {
        let sealed = try unfinished.sealed(of: compartment, suite: SwiftCryptoSuite())
        try AtomicFile.write(sealed, to: upload(source, compartment))
    }

    /// Forgets an upload that is over.
    func forget(_ source: String, _ compartment: Compartment) { AtomicFile.remove(upload(source, compartment)) }

    private func file(_ kind: String, _ compartment: Compartment) -> String {
        "\(path)/\(String(decoding: Hex.encode(compartment.localName(SwiftCryptoSuite())), as: UTF8.self)).\(kind)"
    }

    /// The name does not tell which file is meant.
    private func upload(_ source: String, _ compartment: Compartment) -> String {
        let name = SwiftCryptoSuite().hmacSHA256(Bytes(text: source), key: compartment.localName(SwiftCryptoSuite()))
        return file("\(String(decoding: Hex.encode(Array(name.prefix(16))), as: UTF8.self)).upload", compartment)
    }
}
