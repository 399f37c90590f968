import Encodings
import Storage
import Transparency

/// The policy in force: version 0 is the log's own key, and no witness.
struct CurrentPolicy: Sendable, Equatable {
    let version: Int64
    let policy: LogPolicy
}

/// The log policies that the main administrator has signed, and what the witnesses have signed.
struct LogPolicyStore {
    let transaction: Transaction

    /// A policy as it was signed.
    struct Stored: Sendable {
        /// From 1 on, each one more than the last.
        var version: Int64
        /// The policy's text.
        var text: String
        /// Compact JWS by the main administrator's authority key.
        var statement: String
        /// The main administrator's certificate then, DER, base64url.
        var certificate: String
        var created: Int64
    }

    /// The newest policy.
    func current() throws -> Stored? {
        try transaction.row(
            """
            SELECT version, policy, statement, certificate, created FROM log_policies
            ORDER BY version DESC LIMIT 1
            """, []
        ).map {
            Stored(
                version: try $0.integer("version"), text: try $0.text("policy"),
                statement: try $0.text("statement"), certificate: try $0.text("certificate"),
                created: try $0.integer("created"))
        }
    }

    func insert(_ policy: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO log_policies (version, policy, statement, certificate, created) VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .integer(policy.version), .text(policy.text), .text(policy.statement), .text(policy.certificate),
                .integer(policy.created),
            ])
    }

    /// The newest checkpoint that enough witnesses have signed, or an empty one.
    func cosigned() throws -> LogStore.Sealed {
        try transaction.row("SELECT size, checkpoint FROM log_cosigned WHERE id = 1", []).map {
            LogStore.Sealed(size: try $0.integer("size"), checkpoint: try $0.text("checkpoint"))
        } ?? LogStore.Sealed(size: 0, checkpoint: "")
    }

    /// The newest checkpoint that may be shown: sealed, or signed by witnesses too if the policy in force asks for it.
    func shown(_ signer: CheckpointSigner) throws -> LogStore.Sealed {
        let (sealed, current) = try LogStore(transaction: transaction).standing(or: signer)
        return current.policy.needsWitnesses ? try cosigned() : sealed
    }

    /// Replaces the last checkpoint with a larger one.
    ///
    /// - Returns: false, and nothing is changed, if there is one as large already.
    func advance(to next: LogStore.Sealed) throws -> Bool {
        try transaction.changes(
            """
            INSERT INTO log_cosigned (id, size, checkpoint) VALUES (1, $1, $2)
            ON CONFLICT (id) DO UPDATE SET size = $1, checkpoint = $2 WHERE log_cosigned.size < $1
            """, [.integer(next.size), .text(next.checkpoint)]) == 1
    }

    /// Replaces the stored checkpoint with one that a new policy's witnesses have signed.
    func replace(with next: LogStore.Sealed) throws {
        try transaction.execute("DELETE FROM log_cosigned WHERE id = 1", [])
        _ = try advance(to: next)
    }
}

extension LogStore {
    /// The policy in force.
    func policy(or signer: CheckpointSigner) throws -> CurrentPolicy {
        guard let stored = try LogPolicyStore(transaction: transaction).current() else {
            return CurrentPolicy(version: 0, policy: LogPolicy(logKey: signer.verifierKey))
        }
        return CurrentPolicy(version: stored.version, policy: try LogPolicy.read(Bytes(text: stored.text)))
    }

    /// How far the log is sealed, and the policy in force: every batch asks for both, so they are one question.
    func standing(or signer: CheckpointSigner) throws -> (sealed: Sealed, policy: CurrentPolicy) {
        let row = try transaction.row(
            """
            SELECT s.size, s.checkpoint, p.version, p.policy
            FROM (SELECT 1 AS id) AS one LEFT JOIN log_state s ON s.id = one.id
                LEFT JOIN log_policies p ON p.version = (SELECT MAX(version) FROM log_policies)
            """, [])
        var sealed = Sealed(size: 0, checkpoint: "")
        if let row, let size = try row.optionalInteger("size") {
            sealed = Sealed(size: size, checkpoint: try row.text("checkpoint"))
        }
        guard let row, let version = try row.optionalInteger("version") else {
            return (sealed, CurrentPolicy(version: 0, policy: LogPolicy(logKey: signer.verifierKey)))
        }
        let policy = try LogPolicy.read(Bytes(text: try row.text("policy")))
        return (sealed, CurrentPolicy(version: version, policy: policy))
    }
}
