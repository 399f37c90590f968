import Encodings
import Storage
import Vault

/// Reads the guard's files for the hammer's rules: what is in them is in no database.
enum HammerGuards {
    /// What the guard keeps of some accounts.
    ///
    /// - Parameter folder: the guard's, in the data directory.
    static func read(_ folder: String, of accounts: Set<String>) throws -> [String: HammerVaultTables.Guard] {
        var guards: [String: HammerVaultTables.Guard] = [:]
        for account in accounts {
            guard let bytes = try DurableFile.read("\(folder)/\(account.prefix(2))/\(account)") else { continue }
            guards[account] = parse(bytes)
        }
        return guards
    }

    /// One file, which ends with a newline; `nil` for what the guard does not write.
    private static func parse(_ bytes: Bytes) -> HammerVaultTables.Guard? {
        guard let file = try? JSON.parse(Array(bytes.dropLast())), let slots = file["slots"]?.array,
            slots.count == PINSlot.count, let state = file["state"]?.string, let counted = Base64.decode(state, .url),
            let counting = try? PINGuard(counted)
        else { return nil }
        let sealed = slots.map { slot -> String? in
            slot["sealed"]?.string.map { String(decoding: $0, as: UTF8.self) }
        }
        return HammerVaultTables.Guard(counts: counting.counts, sealed: sealed)
    }
}
