/// What an approval writes: an entry of the log, and the answer and the state in rows that are there.
///
/// The tables are the server's own, with their indexes and foreign keys, and the texts are as long as the server's.
enum FloorStore {
    /// A durable transaction each, as the server has; and SQLite's own way to wait for other connections, so many ms.
    static let sqliteSettings = [
        "PRAGMA busy_timeout = 60000", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON", "PRAGMA secure_delete = ON",
    ]
    /// Makes room for a further run.
    ///
    /// Rows are as they were: SQLite writes no page for a row that already has the bytes.
    static let clear = [
        "DELETE FROM log_entries",
        """
        UPDATE approval_prompts SET decision = NULL, device = NULL, signature = NULL, answered = NULL, entry = NULL
        WHERE decision IS NOT NULL
        """,
        """
        UPDATE approval_challenges SET state = 'pending', decided = NULL, outcome_signature = NULL
        WHERE decided IS NOT NULL
        """,
    ]

    /// People with a device each, a service, and so many questions that it asks them in turn.
    static func rows(questions: Int) -> [String] {
        let (people, asked) = (numbers(to: people), numbers(to: questions))
        return [
            """
            INSERT INTO accounts (id, username, name, role, passphrase, verified, created)
            \(people) SELECT \(account("n")), 'user-' || n, 'user-' || n, 'member', '', 0, \(now) FROM numbers
            """,
            """
            INSERT INTO devices (id, account, name, signing_key, encryption_key, created)
            \(people) SELECT \(device("n")), \(account("n")), 'bench', 'signing-' || n, 'encryption-' || n, \(now)
            FROM numbers
            """,
            """
            INSERT INTO approval_services (id, domain, name, key_hash, public_key, created)
            VALUES ('\(service)', 'bank.example', 'Bench', '\(hash)', '\(text(87))', \(now))
            """,
            """
            INSERT INTO approval_devices (id, service, label, account, device, name, public_key, confirmation,
                confirmation_signature, created)
            \(people) SELECT \(device("n")), '\(service)', '\(hash)', \(account("n")), \(device("n")), 'bench',
                'key-' || n, '\(text(484))', '\(signature)', \(now)
            FROM numbers
            """,
            """
            INSERT INTO approval_challenges (id, service, idempotency, request, message, state, wrong_codes, created,
                expires)
            \(asked) SELECT \(question("n")), '\(service)', '\(text(33))' || (1000000000 + n), '\(hash)',
                '\(text(807))', 'pending', 0, \(now), \(now) + 3600
            FROM numbers
            """,
            """
            INSERT INTO approval_prompts (challenge, account, label, service, created)
            \(asked) SELECT \(question("n")), \(account(person("n"))), '\(hash)', '\(service)', \(now)
            FROM numbers
            """,
        ]
    }

    /// - Parameters:
    ///   - position: of the log's entry.
    ///   - row: the number of the question that is answered.
    static func statements(position: String, row: String) -> [String] {
        let (question, account, device) = (question(row), account(person(row)), device(person(row)))
        return [
            """
            INSERT INTO log_entries (position, account, type, time, entry, opening, record)
            VALUES (\(position), \(account), 'approval.given', \(now), '\(text(162))', '\(hash)', '\(text(186))')
            """,
            """
            UPDATE approval_prompts SET decision = 'allow', reason = NULL, scope = NULL, device = \(device),
                signature = '\(signature)', answered = \(now), entry = \(position)
            WHERE challenge = \(question) AND account = \(account)
            """,
            """
            UPDATE approval_challenges SET state = 'approved', wrong_codes = 0, decided = \(now),
                outcome_signature = '\(signature)'
            WHERE id = \(question)
            """,
        ]
    }

    private static let people = 64
    private static let now = 1_800_000_000
    private static let service = text(32)
    private static let hash = text(43)
    private static let signature = text(86)

    private static func text(_ length: Int) -> String { String(repeating: "t", count: length) }

    /// Who is asked the question of this number.
    private static func person(_ question: String) -> String { "\(question) % \(people)" }

    /// Identifiers of 32 letters, of the number that an expression has.
    private static func account(_ number: String) -> String { "'the-account-of-22-char' || (1000000000 + \(number))" }
    private static func device(_ number: String) -> String { "'one-device-of-22-chars' || (1000000000 + \(number))" }
    private static func question(_ number: String) -> String { "'question-of-22-letters' || (1000000000 + \(number))" }

    private static func numbers(to end: Int) -> String {
        """
        WITH RECURSIVE numbers (n) AS (
            SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < \(end))
        """
    }
}
