import Encodings
import Foundation
import Pico
import Wallet

/// Where everything is that the PAM module's helper reads.
struct PamFolder {
    /// `/`, except in tests.
    let root: String

    init(root: String) { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

    var path: String { root + "/etc/countersign/pam" }
    var configurationFile: String { path + "/config.json" }
    var keyFile: String { path + "/service.key" }
    var usersFile: String { path + "/users.txt" }
    /// Where helpers that stay can be reached.
    var runFolder: String { root + "/run/countersign/pam" }

    var users: PicoServicePairings { PicoServicePairings(path: usersFile) }

    var isConfigured: Bool { FileManager.default.fileExists(atPath: configurationFile) }

    /// The settings, if only root can change them.
    func configuration() throws(CommandError) -> PamConfiguration {
        try check()
        let bytes: Bytes
        do { bytes = try Files.read(configurationFile) } catch {
            throw CommandError("\(configurationFile) cannot be read")
        }
        do throws(CommandError) {
            return try PamConfiguration(file: bytes)
        } catch {
            throw CommandError("\(configurationFile): \(error.words)")
        }
    }

    /// Demands that others than root can change nothing, and read no key.
    func check() throws(CommandError) {
        try RootOnly.check(folder: path, below: root)
        try RootOnly.check(file: configurationFile, isSecret: false)
        for file in [keyFile, usersFile] where FileManager.default.fileExists(atPath: file) {
            try RootOnly.check(file: file, isSecret: true)
        }
    }

    /// The service that people sign in to; it never makes a key.
    func service(_ configuration: PamConfiguration, continuous: Bool) throws -> PicoService {
        guard FileManager.default.fileExists(atPath: keyFile) else {
            throw CommandError("\(keyFile) is missing. Pair a wallet: countersign admin pam pair USER")
        }
        return PicoService(
            key: try PicoService.key(at: keyFile, curve: .p256), users: users, continuous: continuous,
            lifetime: configuration.lifetime, patience: 30_000)
    }

    /// Makes the folder for helpers that stay; only root can reach what is in it.
    func makeRunFolder() throws(CommandError) {
        do {
            try FileManager.default.createDirectory(
                atPath: runFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError("\(runFolder) cannot be made")
        }
        try RootOnly.check(folder: runFolder, below: root)
    }
}
