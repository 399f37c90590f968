import ArgumentParser
import Encodings
import Foundation
import Vault
import Wallet

/// The wallet, and what opens the vault.
struct VaultOptions: ParsableArguments {
    @OptionGroup var wallet: WalletOptions
    @Flag(help: "Open the vault with the recovery key, which is asked for.") var recovery = false
    @Option(help: "Open the vault with the recovery key: a file with its 24 words.", completion: .file())
    var recoveryFile: String?
    @Flag(help: "Open the vault with a PIN, which is asked for. The server counts each try.") var pin = false
    @Option(help: "Open the vault with a PIN: a file whose first line it is.", completion: .file()) var pinFile: String?
    @Flag(help: "Open the vault with two recovery shares, which are asked for.") var shares = false
    @Option(
        help: "Open the vault with two recovery shares: a file with two of them, each on a line.", completion: .file())
    var sharesFile: String?

    @Flag(help: "Open items with a lock of their own: their PIN is asked for. The server counts each try.")
    var lockPin = false
    @Option(help: "Open items with a lock of their own: a file whose first line is their PIN.", completion: .file())
    var lockPinFile: String?

    var output: OutputOptions { wallet.output }
    var hasLockPIN: Bool { lockPin || lockPinFile != nil }

    func validate() throws {
        let ways = [recovery, recoveryFile != nil, pin, pinFile != nil, shares, sharesFile != nil]
        guard ways.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "Give one of --recovery, --recovery-file, --pin, --pin-file, --shares and --shares-file.")
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
        if let sharesFile {
            let lines = try Files.read(sharesFile).split(at: 0x0A).map { $0.trimmingSpace() }.filter { !$0.isEmpty }
            guard lines.count == 2 else {
                throw CommandError("\(Bytes(text: sharesFile).shown) needs two recovery shares, each on a line")
            }
            return .shares(lines[0], lines[1])
        }
        if shares {
            let first = try Terminal.askHidden("One recovery share", orGive: "--shares-file FILE")
            let second = try Terminal.askHidden("Another recovery share", orGive: "--shares-file FILE")
            return .shares(Bytes(text: first), Bytes(text: second))
        }
        if pin { return .pin(Bytes(text: try Terminal.askHidden("PIN", orGive: "--pin-file FILE"))) }
        return .device
    }

    /// The unlocked wallet, the open vault, and the lock whose PIN was given.
    func open() async throws -> (client: WalletClient, vault: OpenVault, lock: ItemLock?) {
        let client = try await wallet.unlock()
        let vault = try await client.openVault(with: key())
        let lock = try await lock(client, vault)
        await Self.tell(ofUnopenedIn: vault)
        return (client, vault, lock)
    }

    /// Says so when something in a vault does not open: no list, export or pattern has it.
    static func tell(ofUnopenedIn vault: OpenVault) async {
        let count = await vault.unopened
        guard count > 0 else { return }
        let words = count == 1 ? "1 item here does not open and is" : "\(count) items here do not open and are"
        Terminal.note("\(words) left out everywhere: damaged, or written by a program that breaks the format.")
    }

    /// Opens the items that a PIN locks, if one was given.
    private func lock(_ client: WalletClient, _ vault: OpenVault) async throws -> ItemLock? {
        guard let pin = try lockPIN() else { return nil }
        return try await client.openLock(pin, in: vault)
    }

    /// The PIN of items that are locked, if it is to be given.
    func lockPIN() throws -> Bytes? {
        if let lockPinFile { return Bytes(text: try Passphrases.firstLine(of: lockPinFile)) }
        guard lockPin else { return nil }
        return Bytes(text: try Terminal.askHidden("PIN of the items", orGive: "--lock-pin-file FILE"))
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
