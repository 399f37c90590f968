import Encodings
import Foundation
import Storage

/// The data directory's `keys` folder: files of 32 secret bytes each, as hexadecimal text, readable by the server's
/// user only.
struct KeyFolder: Sendable {
    /// The folder.
    let path: String

    /// - Parameter directory: the data directory.
    init(in directory: String) { path = directory + "/keys" }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The secret of this name, or `nil` when there is no such file.
    func read(_ name: String) throws -> Bytes? {
        let path = file(name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        // Another process that ends a rotation may remove it at any moment.
        guard let isPrivate = try DurableFile.isPrivate(path) else { return nil }
        guard isPrivate else { throw ServerKeys.KeyError.exposed(name: name) }
        guard let text = try DurableFile.read(path) else { return nil }
        guard text.count == 65, text[64] == 0x0A, let bytes = Hex.decode(Array(text.dropLast())) else {
            throw ServerKeys.KeyError.malformed(name: name)
        }
        return bytes
    }

    /// The secret of this name; a missing one is never made again.
    func require(_ name: String) throws -> Bytes {
        guard let secret = try read(name) else { throw ServerKeys.KeyError.missing(name: name) }
        return secret
    }

    /// The secret of this name, made if it is not there: only before there is an organisation.
    func readOrMake(_ name: String, random: RandomSource) throws -> Bytes {
        // Another process may be doing the same.
        try create(name, random.bytes(32))
        return try require(name)
    }

    /// Stores a secret unless there is one of this name.
    ///
    /// - Returns: whether it was stored.
    @discardableResult
    func create(_ name: String, _ secret: Bytes) throws -> Bool {
        guard !FileManager.default.fileExists(atPath: file(name)) else { return false }
        try DurableFile.makeDirectory(path, permissions: 0o700)
        return try DurableFile.create(file(name), Self.text(secret))
    }

    /// Replaces a secret: a crash leaves the old one or the new one.
    func replace(_ name: String, _ secret: Bytes) throws {
        try DurableFile.write(file(name), Self.text(secret))
    }

    /// Where a sealing secret lies that another has taken the place of, until nothing is sealed under it.
    static func former(_ name: String) -> String { name + ".former" }

    /// The other one of a sealing secret that is being replaced, as the database names it.
    ///
    /// - Returns: `nil` when none is being replaced.
    /// - Throws: `KeyError.foreign` when the folder does not hold it.
    func other(_ key: ServerKey, _ fingerprints: [String: String]) throws -> Bytes? {
        guard key.isSealing, let wanted = fingerprints[key.otherName] else { return nil }
        for name in [Self.next(key.name), Self.former(key.name), key.name] {
            guard let secret = try read(name) else { continue }
            if ServerKeys.fingerprint(of: secret, named: key.name) == wanted { return secret }
        }
        throw ServerKeys.KeyError.foreign(name: key.name)
    }

    /// The path of the key that will replace another.
    static func next(_ name: String) -> String { name + ".next" }

    /// Replaces the old key with its successor: a crash leaves one or the other.
    ///
    /// Another process that does the same is no error.
    func promote(_ name: String) throws {
        guard let secret = try read(Self.next(name)) else { return }
        try replace(name, secret)
        try remove(Self.next(name))
    }

    /// Takes the folder for a change, which only one can make at a time, of all servers and commands that share it.
    ///
    /// - Throws: `KeyError.changing` when another one makes a change.
    func lock() throws -> FolderLock {
        guard let lock = try FolderLock.take(path) else { throw ServerKeys.KeyError.changing }
        return lock
    }

    func remove(_ name: String) throws { try DurableFile.remove(file(name)) }

    private static func text(_ secret: Bytes) -> Bytes { Hex.encode(secret) + [0x0A] }
}
