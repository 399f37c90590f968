import Approvals
import Encodings
import Storage
import Wallet

/// Reads the tables of approvals for the hammer's rules.
struct HammerApprovalStore {
    let transaction: Transaction

    func tables() throws -> HammerApprovalTables {
        var tables = HammerApprovalTables()
        for row in try transaction.rows("SELECT id, public_key, removed FROM approval_devices") {
            tables.devices[try row.text("id")] = HammerApprovalTables.Device(
                publicKey: try row.text("public_key"), isRemoved: try row.optionalInteger("removed") != nil)
        }
        for row in try transaction.rows(
            "SELECT id, message, state, decided, outcome_signature FROM approval_challenges")
        {
            let message = Base64.decode(Bytes(text: try row.text("message")), .url) ?? []
            let parts = [try row.optionalInteger("decided") != nil, try row.optionalText("outcome_signature") != nil]
            tables.questions[try row.text("id")] = HammerApprovalTables.Question(
                state: try row.text("state"), isDecided: parts.allSatisfy { $0 },
                need: (try? UnverifiedApprovalChallenge.parse(message))?.challenge.need ?? 0)
        }
        tables.answers = try transaction.rows(
            "SELECT challenge, decision, scope, device, account, entry FROM approval_prompts WHERE decision IS NOT NULL"
        ).map {
            HammerApprovalTables.Answer(
                question: try $0.text("challenge"), decision: try $0.text("decision"),
                scope: try $0.optionalText("scope"), device: try $0.text("device"), account: try $0.text("account"),
                entry: try $0.integer("entry"))
        }
        for row in try transaction.rows("SELECT account, works FROM approval_recovery_codes") {
            tables.codes[try row.text("account"), default: []].append(try row.integer("works"))
        }
        tables.frozen = Set(
            try transaction.rows("SELECT account FROM approval_settings WHERE frozen IS NOT NULL").map {
                try $0.text("account")
            })
        try readOffers(&tables)
        try readWaits(&tables)
        try readOriginal(&tables)
        return tables
    }

    private func readOffers(_ tables: inout HammerApprovalTables) throws {
        for row in try transaction.rows(
            """
            SELECT id, state, enrolment, handover_state, handover_key, handover_by, handover FROM approval_offers
            """)
        {
            let message = Base64.decode(Bytes(text: try row.optionalText("enrolment") ?? ""), .url) ?? []
            let enrolment = try? DeviceEnrolment.read(message)
            tables.offers[try row.text("id")] = HammerApprovalTables.Offer(
                state: try row.text("state"), key: enrolment?.key.x963.base64URL,
                voucher: enrolment?.voucher?.x963.base64URL,
                handover: HammerApprovalTables.Handover(
                    state: try row.optionalText("handover_state"), key: try row.optionalText("handover_key"),
                    by: try row.optionalText("handover_by"), word: try row.optionalText("handover")))
        }
    }

    private func readWaits(_ tables: inout HammerApprovalTables) throws {
        tables.waits = try transaction.rows("SELECT account, device, started, opens, closes FROM approval_recoveries")
            .map {
                HammerApprovalTables.Wait(
                    account: try $0.text("account"), device: try $0.text("device"),
                    started: try $0.integer("started"), opens: try $0.integer("opens"),
                    closes: try $0.integer("closes"))
            }
        for row in try transaction.rows(
            """
            SELECT account, type FROM log_entries
            WHERE type IN ('approval_recovery.begun', 'approval_recovery.ended') ORDER BY position
            """)
        {
            tables.waitEntries[try row.text("account"), default: []].append(try row.text("type"))
        }
    }

    /// Version 1 has tables of its own.
    private func readOriginal(_ tables: inout HammerApprovalTables) throws {
        for row in try transaction.rows(
            "SELECT id, state, public_key, entry FROM original_challenges WHERE step = 'approval'")
        {
            let number = try row.integer("id")
            tables.originals["\(number)"] = HammerApprovalTables.Original(
                state: try row.text("state"), publicKey: try row.optionalText("public_key"),
                entry: try row.optionalInteger("entry"))
        }
        for row in try transaction.rows(
            "SELECT d.public_key, u.removed FROM original_uses u JOIN original_devices d ON d.id = u.app")
        {
            tables.apps[try row.text("public_key")] = try row.optionalInteger("removed") != nil
        }
        for row in try transaction.rows(
            """
            SELECT question, public_key FROM original_enrolments
            WHERE state = 'completed' AND question IS NOT NULL AND public_key IS NOT NULL
            """)
        {
            tables.enrolled[try row.text("question")] = try row.text("public_key")
        }
        tables.speaking = Set(
            try transaction.rows("SELECT service FROM original_services WHERE accepted = 1").map {
                try $0.text("service")
            })
    }
}
