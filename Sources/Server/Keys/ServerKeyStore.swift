import Storage

/// Which of the server's secrets are in force, by their fingerprints: the keys themselves are files.
struct ServerKeyStore {
    let transaction: Transaction

    func fingerprints() throws -> [String: String] {
        try transaction.rows("SELECT name, fingerprint FROM server_keys", []).reduce(into: [:]) {
            $0[try $1.text("name")] = try $1.text("fingerprint")
        }
    }

    /// Forgets a secret: nothing is under it any more.
    func remove(_ name: String) throws {
        try transaction.execute("DELETE FROM server_keys WHERE name = $1", [.text(name)])
    }

    /// Names the secret that is in force from now on.
    func set(_ name: String, fingerprint: String, since time: Int64) throws {
        try transaction.execute(
            """
            INSERT INTO server_keys (name, fingerprint, since) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET fingerprint = $2, since = $3
            """, [.text(name), .text(fingerprint), .integer(time)])
    }
}
