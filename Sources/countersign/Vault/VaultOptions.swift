import ArgumentParser
import Encodings
import Foundation
import Vault
import Wallet

/// The wallet, and what opens the vault.
struct VaultOptions: ParsableArguments {
    @OptionGroup var wallet: WalletOptions
    @Flag(help: "Open the vault with the recovery key, which is asked for.") var recovery = false
    @Option(help: "Open the vault with the recovery key: a file with its 24 words.") var recoveryFile: String?
    @Flag(help: "Open the vault with a PIN, which is asked for. The server counts each try.") var pin = false
    @Option(help: "Open the vault with a PIN: a file whose first line it is.") var pinFile: String?

    @Flag(help: "Open items with a lock of their own: their PIN is asked for. The server counts each try.")
    var lockPin = false
    @Option(help: "Open items with a lock of their own: a file whose first line is their PIN.") var lockPinFile: String?

    var output: OutputOptions { wallet.output }
    var hasLockPIN: Bool { lockPin || lockPinFile != nil }

    func validate() throws {
        guard [recovery, recoveryFile != nil, pin, pinFile != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --recovery, --recovery-file, --pin and --pin-file.")
        }
    }

    /// What opens the vault.
    func key() throws -> VaultKey {
        if let recoveryFile { return .recovery(try Files.read(recoveryFile).trimmingSpace()) }
        if let pinFile { return .pin(Bytes(text: try Passphrases.firstLine(of: pinFile))) }
        if recovery {
            let words = try Terminal.askHidden("Recovery key, 24 words", orGive: "--recovery-file FILE")
            return .recovery(Bytes(text: words))
        }
        if pin { return .pin(Bytes(text: try Terminal.askHidden("PIN", orGive: "--pin-file FILE"))) }
        return .device
    }

    /// The unlocked wallet, the open vault, and the lock whose PIN was given.
    func open() async throws -> (client: WalletClient, vault: OpenVault, lock: ItemLock?) {
        let client = try await wallet.unlock()
        let vault = try await client.openVault(with: key())
        return (client, vault, try await lock(client, vault))
    }

    /// Opens the items that a PIN locks, if one was given.
    private func lock(_ client: WalletClient, _ vault: OpenVault) async throws -> ItemLock? {
        guard hasLockPIN else { return nil }
        let pin =
            if let lockPinFile { try Passphrases.firstLine(of: lockPinFile) } else {
                try Terminal.askHidden("PIN of the items", orGive: "--lock-pin-file FILE")
            }
        return try await client.openLock(Bytes(text: pin), in: vault)
    }
}

/// A name for an item, typed by a person.
enum VaultNames {
    /// A name that an item may have.
    static func name(_ text: String) throws -> NodeName {
        do {
            return try NodeName(Bytes(text: text.precomposedStringWithCanonicalMapping))
        } catch {
            throw CommandError(
                "'\(Bytes(text: text).shown)' cannot be a name: 1 to 255 bytes, without slashes, control characters and "
                    + "marks that turn the direction of writing")
        }
    }

    /// The name of a file of this machine; what a vault does not take becomes an underscore.
    static func name(ofFile path: String) -> NodeName {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return .cleaned(Bytes(text: last.precomposedStringWithCanonicalMapping))
    }

    /// A path split into its folder and its last name.
    static func split(_ path: String) throws -> (folder: String, name: String) {
        let names = path.split(separator: "/")
        guard let last = names.last else { throw CommandError("'\(path)' names no item") }
        return (names.dropLast().joined(separator: "/"), String(last))
    }
}

extension OpenVault {
    /// Where something goes: into a folder that is there, or under another name into the folder before the last name.
    func destination(_ path: String?, named own: NodeName) throws -> (folder: NodeID, name: NodeName) {
        guard let path, path.split(separator: "/").isEmpty == false else { return (.root, own) }
        if let folder = try? folder(path) { return (folder, own) }
        guard !path.hasSuffix("/") else { throw VaultFault.notFound(path) }
        let (above, last) = try VaultNames.split(path)
        return (try folder(above), try VaultNames.name(last))
    }
}
