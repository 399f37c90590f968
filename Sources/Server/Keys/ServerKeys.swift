import CryptoProvider
import Encodings
import Foundation
import Storage

/// The server's own keys, one file each in the data directory's `keys` folder, readable by the server's user only.
package struct ServerKeys: Sendable {
    /// Signs the main administrator's and the status signer's certificates.
    ///
    /// May be taken offline after set-up.
    let root: SigningKey
    /// Signs status list tokens.
    let status: SigningKey
    /// Signs the log's checkpoints.
    let log: LogSigningKey
    /// Makes the log's pseudonymous labels.
    let labelSecret: Bytes
    /// Makes what is stored of invitation and link codes.
    let codeSecret: Bytes

    /// Why a key cannot be used.
    package enum KeyError: Error, Equatable {
        /// The file is not the hexadecimal text of a key of this kind.
        case malformed(name: String)
        /// Others than the server's user may read it.
        case exposed(name: String)
    }

    /// Reads the keys, making those that are not there yet.
    ///
    /// - Parameter directory: the data directory.
    package static func open(in directory: String, random: RandomSource) throws -> ServerKeys {
        let files = try KeyFiles(in: directory, random: random)
        return ServerKeys(
            root: try files.key("root", SigningKey.init(rawRepresentation:)),
            status: try files.key("status", SigningKey.init(rawRepresentation:)),
            log: try files.key("log", LogSigningKey.init(rawRepresentation:)),
            labelSecret: try files.key("label-secret") { $0 },
            codeSecret: try files.key("code-secret") { $0 })
    }

    /// The key of a witness, which is made when it is not there yet.
    static func witness(in directory: String, random: RandomSource) throws -> LogSigningKey {
        try KeyFiles(in: directory, random: random).key("witness", LogSigningKey.init(rawRepresentation:))
    }
}

/// Files of 32 secret bytes each, as hexadecimal text.
private struct KeyFiles {
    let folder: String
    let random: RandomSource

    /// Those of a data directory.
    init(in directory: String, random: RandomSource) throws {
        folder = directory + "/keys"
        self.random = random
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func key<Key>(_ name: String, _ make: (Bytes) throws -> Key) throws -> Key {
        let path = "\(folder)/\(name)"
        if !FileManager.default.fileExists(atPath: path) {
            // Another process may be doing the same.
            try DurableFile.create(path, Hex.encode(random.bytes(32)) + [0x0A])
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes[.posixPermissions] as? Int, mode & 0o077 == 0 else {
            throw ServerKeys.KeyError.exposed(name: name)
        }
        let text = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        guard text.count == 65, text[64] == 0x0A, let bytes = Hex.decode(Array(text.dropLast())),
            let key = try? make(bytes)
        else { throw ServerKeys.KeyError.malformed(name: name) }
        return key
    }
}
