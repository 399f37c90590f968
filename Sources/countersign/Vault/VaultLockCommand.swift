import ArgumentParser
import Encodings
import Vault
import Wallet

/// `countersign wallet vault lock`.
struct VaultLockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Put a second PIN before items of your vault.",
        discussion: """
            The PIN is asked for whenever such an item is read, besides what opens the vault. The server counts the tries; \
            after ten wrong ones the PIN is destroyed, and what it locks is lost. One PIN is for all items that you lock.

              countersign wallet vault lock Papers/will.pdf
              countersign wallet vault get Papers/will.pdf --lock-pin
              countersign wallet vault lock --off 'id:…' --lock-pin
            """)

    @Argument(help: "Paths or patterns; a locked item has its id.") var paths: [String]
    @Flag(help: "Take the lock off.") var off = false
    @Option(
        help: "The first PIN for items: a file whose first line it is. Default: it is asked for, twice.",
        completion: .file())
    var newPinFile: String?
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, known) = try await options.open()
        if off {
            guard options.hasLockPIN else { throw CommandError("give the PIN of the lock with --lock-pin") }
            try await set([], in: vault, "is open to what opens the vault")
        } else if let known {
            try await set([known], in: vault, "locked")
        } else {
            let pin = try VaultNewPIN.ask("New PIN for items", file: newPinFile)
            let (lock, act) = try await client.makeLock(pin, in: vault)
            if !options.output.json { Output.act(act) }
            try await set([lock], in: vault, "locked")
        }
    }

    private func set(_ locks: [ItemLock], in vault: OpenVault, _ words: String) async throws {
        var items: [VaultItem] = []
        for path in paths { items += try await vault.find(path) }
        for item in items { try await vault.setLocks(locks, on: item.id) }
        items.report(words, options.output)
    }
}
