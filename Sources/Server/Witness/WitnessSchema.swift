import Storage

/// The tables of a witness, a database of its own.
enum WitnessSchema {
    static let migrations = [
        Migration(
            name: "0001-witness",
            statements: [
                "CREATE TABLE witness (id BIGINT PRIMARY KEY, name TEXT NOT NULL)",
                """
                CREATE TABLE cosigned (
                    origin TEXT PRIMARY KEY, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL,
                    time BIGINT NOT NULL)
                """,
                """
                CREATE TABLE contradictions (
                    origin TEXT NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, kept TEXT NOT NULL,
                    shown TEXT NOT NULL, time BIGINT NOT NULL, PRIMARY KEY (origin, size, root))
                """,
            ])
    ]
}
