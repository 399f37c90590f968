import Encodings
import Pico
import Storage
import Wallet

/// The database of the original's app: what it knows of services (section 8.1).
enum PicoAppStore {
    /// More than anybody has.
    private static let maximumCount: Int64 = 1_000

    /// The accounts in a database; other tables are not looked at.
    ///
    /// - Throws: `CommandError` for a database without these tables, or with values that are none.
    static func accounts(in database: Bytes) throws -> [PicoImportedAccount] {
        let rows: [Row]
        do {
            rows = try MemoryDatabase.read(database) { transaction in
                try transaction.rows(
                    """
                    SELECT services.name AS service_name, services.commitment AS commitment, pairings.name AS name,
                        key_pairings.private_key AS private_key, key_pairings.extra_data AS extra_data
                    FROM key_pairings JOIN pairings ON pairings.id = key_pairings.pairing_id
                        JOIN services ON services.id = pairings.service_id
                    ORDER BY key_pairings.id LIMIT $1
                    """, [.integer(maximumCount)])
            }
        } catch is StorageError {
            throw CommandError("the database in the backup is not one of the original's app, or it is damaged")
        }
        return try rows.map { row in
            guard let account = try? account(row) else {
                throw CommandError("the backup holds an account that cannot be read. Nothing was restored")
            }
            return account
        }
    }

    private static func account(_ row: Row) throws -> PicoImportedAccount? {
        guard let bytes = Base64.decode(Bytes(text: try row.text("commitment")), .standard),
            let service = PicoCommitment(bytes: bytes),
            let identity = PicoPrivateKeyFile.decode(try row.blob("private_key"))
        else { return nil }
        return PicoImportedAccount(
            service: service, serviceName: Bytes(text: try row.text("service_name")),
            name: Bytes(text: try row.optionalText("name") ?? ""), identity: identity,
            extraData: Bytes(text: try row.optionalText("extra_data") ?? ""))
    }
}
