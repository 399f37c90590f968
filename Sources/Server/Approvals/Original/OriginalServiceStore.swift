import Storage

/// The RSA keys of services that speak version 1, in the database.
struct OriginalServiceStore {
    let transaction: Transaction

    /// The key of a service, which stays when it no longer speaks version 1: apps know no other.
    struct Stored: Sendable {
        var service: String
        /// The private key as DER, sealed, base64url.
        var sealedKey: String
        /// PEM.
        var publicKey: String
        var isAccepted: Bool
    }

    func find(service: String) throws -> Stored? {
        try transaction.row(
            "SELECT service, sealed_key, public_key, accepted FROM original_services WHERE service = $1",
            [.text(service)]
        ).map { row in
            Stored(
                service: try row.text("service"), sealedKey: try row.text("sealed_key"),
                publicKey: try row.text("public_key"), isAccepted: try row.integer("accepted") == 1)
        }
    }

    func set(_ stored: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO original_services (service, sealed_key, public_key, accepted) VALUES ($1, $2, $3, $4)
            ON CONFLICT (service) DO UPDATE SET sealed_key = $2, public_key = $3, accepted = $4
            """,
            [
                .text(stored.service), .text(stored.sealedKey), .text(stored.publicKey),
                .integer(stored.isAccepted ? 1 : 0),
            ])
    }
}
