import Foundation
import Interface
import Storage
import Testing

@testable import Server

/// Rows that are kept only for their time, table by table.
@Suite("What is kept for a while")
struct RetentionTests {
    /// A row of a table that is over at `$1`, named `$2`, of account `$3` and device `$4`.
    private struct Row: Sendable {
        let table: String
        /// Seconds after which it is removed.
        let kept: Int64
        /// What the row loses, where it stays.
        var empties: String?
        let insert: String
    }

    private static func rows(_ keep: ServerConfiguration.KeepDays) -> [Row] {
        [
            Row(
                table: "sessions", kept: 0,
                insert: """
                    INSERT INTO sessions (token_hash, id, account, device, created, expires, failures)
                    VALUES ($2, $2, $3, $4, 0, $1, 0)
                    """),
            Row(
                table: "challenges", kept: 0,
                insert: "INSERT INTO challenges (nonce, username, expires) VALUES ($2, 'bob', $1)"),
            Row(
                table: "feedback", kept: 0,
                insert: "INSERT INTO feedback (id, text, created, expires) VALUES ($2, 'x', 0, $1)"),
            Row(table: "tries", kept: 0, insert: "INSERT INTO tries (bucket, expires) VALUES ($2, $1)"),
            Row(
                table: "ceremonies", kept: 0,
                insert: "INSERT INTO ceremonies (challenge, purpose, expires) VALUES ($2, 'sign-in', $1)"),
            Row(
                table: "pairings", kept: Limits.pairingMemory,
                insert: """
                    INSERT INTO pairings (id, token_hash, username, device_name, signing_key, encryption_key,
                        passphrase_known, state, created, expires)
                    VALUES ($2, 't', 'bob', 'd', 's', 'e', 0, 'open', 0, $1)
                    """),
            Row(
                table: "invitations", kept: keep.invitations * 86_400,
                insert: """
                    INSERT INTO invitations (id, code_hash, role, created_by, created, expires)
                    VALUES ($2, $2, 'operator', $3, 0, $1)
                    """),
            Row(
                table: "typed_codes", kept: Limits.enrolmentTime,
                insert: """
                    INSERT INTO typed_codes (enrolment, holder, session, hash, expires) VALUES ($2, $3, 's', $2, $1)
                    """),
            Row(
                table: "enrolments", kept: keep.checks * 86_400,
                insert: """
                    INSERT INTO enrolments (id, state, holder, device, commitment, expires)
                    VALUES ($2, 'open', $3, $4, 'c', $1)
                    """),
            Row(
                table: "shares", kept: keep.links * 86_400,
                insert: """
                    INSERT INTO shares (id, account, document, code_hash, failures, blob, created, expires, views,
                        maximum_views)
                    VALUES ($2, $3, 'document', 'h', 0, $2, 0, $1, 0, 5)
                    """),
            Row(
                table: "handovers", kept: 0,
                insert: """
                    INSERT INTO handovers (id, code_hash, operator, title, count, state, expires)
                    VALUES ($2, $2, $3, 't', 1, 'open', $1)
                    """),
            Row(
                table: "signing_tickets", kept: 0,
                insert: """
                    INSERT INTO signing_tickets (hash, session, operator, client, document, digest, capture, expires)
                    VALUES ($2, 's', $3, 'client', 'd', 'g', '', $1)
                    """),
            Row(
                table: "desk_attempts", kept: Limits.attemptMemory,
                insert: """
                    INSERT INTO desk_attempts (id, subject, act, why, operator, time, last, count)
                    VALUES ($2, 'client', 'signing', 'unlike', $3, 0, $1, 1)
                    """),
            Row(
                table: "approval_offers", kept: Limits.approvalOfferMemory,
                insert: """
                    INSERT INTO approval_offers (id, service, label, session_mark, message, created, expires, state,
                        account, device, handover_state, handover_name, handover_key)
                    VALUES ($2, 'service', 'l', 's', 'm', 0, $1, 'open', $3, $4, 'asked', 'n', 'k')
                    """),
            // Made later than now: those whom nobody can answer any more go at once, by a rule of their own.
            Row(
                table: "approval_challenges", kept: Limits.approvalMemory,
                insert: """
                    INSERT INTO approval_challenges
                        (id, service, idempotency, request, message, state, wrong_codes, created, expires)
                    VALUES ($2, 'service', $2, 'r', 'm', 'pending', 0, 9000000000, $1)
                    """),
            Row(
                table: "approval_recoveries", kept: 0,
                insert: """
                    INSERT INTO approval_recoveries (id, account, device, started, opens, closes)
                    VALUES ($2, $3, $4, 0, 0, $1)
                    """),
            Row(
                table: "approval_devices", kept: Limits.approvalMemory,
                insert: """
                    INSERT INTO approval_devices
                        (id, service, label, account, device, name, public_key, confirmation, confirmation_signature,
                        created, removed)
                    VALUES ($2, 'service', 'l', $3, $4, 'n', $2, 'c', 's', 0, $1)
                    """),
            Row(
                table: "pico_sessions", kept: 0,
                insert: "INSERT INTO pico_sessions (session, account, wallet, expires) VALUES ($2, $3, 'w', $1)"),
            Row(
                table: "original_enrolments", kept: Limits.approvalOfferMemory,
                insert: """
                    INSERT INTO original_enrolments
                        (id, service, label, account, session_mark, created, expires, state, token)
                    VALUES ($2, 'service', 'l', $3, 's', 0, $1, 'open', '')
                    """),
            Row(
                table: "original_challenges", kept: Limits.approvalMemory,
                insert: """
                    INSERT INTO original_challenges
                        (id, service, label, account, step, message, created, expires, state)
                    VALUES ((SELECT COUNT(*) FROM original_challenges), 'service', 'l', $3, 'approval', $2, 0, $1,
                        'pending')
                    """),
            Row(
                table: "original_uses", kept: 0,
                insert: """
                    INSERT INTO original_uses (id, app, service, label, account, device, created, removed)
                    VALUES ($2, 'app', 'service', 'l', $3, $4, 0, $1)
                    """),
            Row(
                table: "notification_outbox", kept: 0,
                insert: """
                    INSERT INTO notification_outbox
                        (id, account, way, way_kind, address, kind, subject, is_over, created, expires, due, attempts)
                    VALUES ($2, $3, 'w', 'push', 'a', 'k', '', 0, 0, $1, 9000000000, 0)
                    """),
            Row(
                table: "notification_ways", kept: 86_400,
                insert: """
                    INSERT INTO notification_ways (id, account, kind, address, created, tries)
                    VALUES ($2, $3, 'email', 'a', $1, 0)
                    """),
            Row(
                table: "notification_sms", kept: 86_400,
                insert: """
                    INSERT INTO notification_sms (id, account, number, is_code, sent) VALUES ($2, $3, '+1', 0, $1)
                    """),
            Row(
                table: "requests", kept: keep.requestNotes * 86_400, empties: "a note",
                insert: """
                    INSERT INTO requests (id, type, note, state, member, created, changed)
                    VALUES ($2, 'degree', 'a note', 'cancelled', $3, 0, $1)
                    """),
            Row(
                table: "signings", kept: Limits.signingTime, empties: "a capture",
                insert: """
                    INSERT INTO signings (id, state, client, operator, document, document_name, digest, is_match, created,
                        sealed, pending)
                    VALUES ($2, 'confirmed', 'client', $3, 'd', 'n', 'g', 1, $1, '', 'a capture')
                    """),
        ]
    }

    /// What the rows above name.
    private static let named = [
        """
        INSERT INTO clients (id, number_hash, given_name, family_name, tool, sealed, created, number_form)
        VALUES ('client', 'n', 'g', 'f', 'pen', '', 0, 1)
        """,
        """
        INSERT INTO approval_services (id, domain, name, key_hash, public_key, created)
        VALUES ('service', 'd', 'n', 'h', 'k', 0)
        """,
        """
        INSERT INTO original_devices (id, account, public_key, token)
        SELECT 'app', id, 'k', '' FROM accounts ORDER BY id LIMIT 1
        """,
        "INSERT INTO signed_files (digest, blob, media_type, created) VALUES ('g', '', '', 0)",
    ]

    @Test("no rule walks a table while others wait to write: an index leads to the rows that are over")
    func plans() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            // Small tables are walked all the same where there is a choice.
            if TestDatabase.isPostgres { _ = try transaction.rows("SELECT set_config('enable_seqscan', 'off', true)") }
            for case .rows(let rule) in Slice.all.flatMap(\.retention) {
                let statement = RetentionStore.over(rule).replacing("$1", with: "5").replacing("$2", with: "5")
                let explain = TestDatabase.isPostgres ? "EXPLAIN" : "EXPLAIN QUERY PLAN"
                let plan = try transaction.rows("\(explain) \(statement)").map {
                    try $0.text(TestDatabase.isPostgres ? "QUERY PLAN" : "detail")
                }
                #expect(!plan.contains { $0.contains("SCAN") || $0.contains("Seq Scan") }, "\(rule.table): \(plan)")
                #expect(plan.contains { $0.contains("SEARCH") || $0.contains("Index Cond") }, "\(rule.table): \(plan)")
            }
        }
    }

    @Test("each row stays for exactly its time after it is over, and goes then")
    func rules() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let bob = try await client.join(organisation.person("bob"))
            try await organisation.addDocument("document", holder: bob, sealed: [1])
            let now = organisation.clock.clock.now()
            // Times of their own, so that no rule passes by another's.
            var keep = ServerConfiguration.KeepDays()
            (keep.invitations, keep.checks, keep.links, keep.requestNotes) = (3, 5, 7, 9)
            let rows = Self.rows(keep)
            let environment = organisation.server.environment
            // Each rule there is has a row here.
            let ruled = Slice.all.flatMap(\.retention).compactMap { rule in
                if case .rows(let rows) = rule { rows.table } else { nil }
            }
            #expect(Set(rows.map(\.table)) == Set(ruled))
            try await environment.database.write { transaction in
                for statement in Self.named { try transaction.execute(statement) }
                for row in rows {
                    for (name, over) in [("goes", now - row.kept), ("stays", now - row.kept + 1)] {
                        try transaction.execute(
                            row.insert.replacing("$1", with: "\(over)").replacing("$2", with: "'\(name)'")
                                .replacing("$3", with: "'\(bob.account.id)'")
                                .replacing("$4", with: "'\(bob.deviceID)'"))
                    }
                }
            }
            try await RetentionService(environment: environment, days: keep).sweep()
            let left = try await organisation.rows()
            for row in rows {
                let table = left[row.table] ?? []
                if let content = row.empties {
                    #expect(table.filter { $0.contains(.text(content)) }.map { $0.contains(.text("stays")) } == [true])
                    continue
                }
                #expect(!table.contains { $0.contains(.text("goes")) }, "\(row.table) keeps it for too long")
                #expect(table.contains { $0.contains(.text("stays")) }, "\(row.table) does not keep it")
            }
            // The two people's own, and the one that stays.
            #expect(left["sessions"]?.count == 3)
        }
    }
}
