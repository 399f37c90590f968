import Approvals
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What is done with approvals while their storage fails.
enum ApprovalFaultAct: String, CaseIterable {
    /// A service asks, and takes a question back.
    case ask, cancel
    /// The person who was asked answers.
    case allow, deny
    /// The second of two people who have to approve does.
    case allowSecond
    /// A denial lets nobody ask any more.
    case freeze
    /// A service confirms a user's first device, one that an older one vouches for, or one that has a recovery code.
    case enrol, vouch, recover
    /// An app of version 1 replies.
    case reply

    /// Whether it answers a question of version 2, and so has a receipt.
    var isAnswer: Bool { self == .allow || self == .deny || self == .allowSecond || self == .freeze }
    /// Whether the log has an entry of it.
    var isLogged: Bool { self != .ask && self != .cancel }

    /// The state that its answer names; `nil` where that says only that it succeeded.
    var state: String? {
        switch self {
        case .ask: "pending"
        case .cancel: "cancelled"
        case .allow, .allowSecond: "approved"
        case .deny, .freeze: "denied"
        case .enrol, .vouch, .recover: "completed"
        case .reply: nil
        }
    }

    /// What there is more of each time, with what was prepared for it.
    var added: ApprovalFaultScene.Figures {
        switch self {
        case .ask, .cancel: .init(questions: 1)
        case .allow, .deny: .init(questions: 1, answers: 1)
        case .allowSecond: .init(questions: 1, answers: 2)
        case .freeze: .init(questions: 2, originals: 1, answers: 1)
        case .enrol: .init(devices: 1)
        case .vouch, .recover: .init(devices: 2)
        case .reply: .init(originals: 1, answers: 1)
        }
    }

    /// How many questions wait for alice if it was done so often before, and now was refused.
    func waiting(after count: Int) -> Int {
        switch self {
        case .ask: count
        case .cancel, .allow, .deny: 1
        case .freeze: 2
        case .allowSecond, .enrol, .vouch, .recover, .reply: 0
        }
    }
}

/// A bank that does one thing again and again, and members who let it ask often.
struct ApprovalFaultScene: Sendable {
    /// A request of its own, the same each time that it is sent.
    typealias Send = @Sendable () async throws -> TestClient.Answer

    /// How much the database has.
    struct Figures: Sendable, Equatable {
        var questions = 0
        /// Questions of version 1.
        var originals = 0
        /// The log's entries of answers.
        var answers = 0
        var devices = 0
    }

    let act: ApprovalFaultAct
    let bank: TestBank
    /// Alice's device.
    let phone: TestApprover
    /// Bob's device, if two have to approve.
    private let second: TestApprover?
    /// Alice's app of version 1.
    private let app: TestApp?
    /// Alice's recovery codes.
    private let codes: [String]
    private let before: Figures

    init(_ act: ApprovalFaultAct, _ client: TestClient) async throws {
        self.act = act
        bank = try await client.bank()
        let person = try client.organisation.person("alice")
        var members = [try await client.join(person)]
        if act == .recover {
            let made = try await client.send(.post, "/api/approvals/recovery/codes", token: members[0].token)
                .decode(ApprovalRecoveryCodes.self)
            // They work after three days, and by then alice has to sign in again.
            client.organisation.clock.advance(.seconds(Limits.approvalRecoveryWait))
            members = [try await client.signIn(person, device: try #require(members[0].device).id)]
            codes = made.codes
        } else {
            codes = []
        }
        phone = try await bank.enrol("alice", members[0])
        if act == .allowSecond {
            let bob = try await client.join(client.organisation.person("bob"))
            second = try await bank.enrol("bob", bob)
            members.append(bob)
        } else {
            second = nil
        }
        if act == .freeze || act == .reply {
            try await bank.setOriginal()
            let old = try TestApp()
            try await bank.enrol(old, for: "alice", by: phone)
            app = old
        } else {
            app = nil
        }
        for member in members {
            let budget = ApprovalBudget(perService: 60, together: 240)
            let set = try await client.send(.put, "/api/approvals/settings", budget, token: member.token)
            #expect(set.status == 200)
        }
        before = try await Self.figures(client)
    }

    // MARK: Acts

    /// Prepares an act, and gives what does it.
    func prepare(_ number: Int) async throws -> Send {
        let request = bank.request("\(number)")
        switch act {
        case .ask: return { try await bank.send(.post, "challenges", request) }
        case .cancel:
            let id = try await bank.ask(request).id
            return { try await bank.send(.post, "challenges/\(id)/cancel") }
        case .allow: return try await answer(bank.ask(request).id, .allow(code: nil), phone)
        case .deny: return try await answer(bank.ask(request).id, .deny(.mistake, .request), phone)
        case .allowSecond:
            let id = try await bank.ask(bank.request("\(number)", of: ["alice", "bob"], need: 2)).id
            #expect(try await bank.client.decide(id, .allow(code: nil), phone).status == 200)
            let bobs = try #require(second)
            return try await answer(id, .allow(code: nil), bobs)
        case .freeze:
            if number > 0 { try await unfreeze() }
            let id = try await bank.ask(request).id
            // What else waits ends with it, in both versions.
            _ = try await bank.ask(bank.request("beside \(number)"))
            _ = try await bank.askOriginal(bank.originalRequest())
            return try await answer(id, .deny(.mistake, .account), phone)
        case .enrol, .vouch, .recover: return try await confirmation(number)
        case .reply:
            let (_, challenge) = try await bank.askOriginal(bank.originalRequest())
            let old = try #require(app)
            let reply = try old.reply(challenge)
            return { try await bank.client.callback(reply) }
        }
    }

    private func answer(
        _ id: String, _ decision: ApprovalDecision, _ device: TestApprover
    ) async throws -> Send {
        let message = try await bank.client.answer(id, decision, device)
        return { try await bank.client.send(message) }
    }

    private func unfreeze() async throws {
        let ended = try await bank.client.send(.delete, "/api/approvals/freeze", token: phone.session.token)
        #expect(ended.status == 200, "\(ended.text)")
    }

    /// A device has taken the offer to a user of its own; what is left is the service's word.
    private func confirmation(_ number: Int) async throws -> Send {
        let user = "user \(number)"
        var older: TestApprover?
        if act != .enrol { older = try await bank.enrol(user, phone.session, name: "older") }
        let begun = try await bank.begin(user)
        let newer = try TestApprover(begun, phone.session, name: "newer", voucher: act == .vouch ? older : nil)
        var offer = TakenApprovalOffer(message: newer.message.base64URL)
        if act == .recover {
            let unused = try #require(codes.dropFirst(number).first)
            offer.recoveryCode = unused
        }
        let taken = try await bank.client.send(
            .post, "/api/approvals/enrolments/\(begun.id)", offer, token: phone.session.token)
        #expect(taken.status == 200, "\(taken.text)")
        let code = String(decoding: newer.code, as: UTF8.self)
        return { try await bank.confirm(begun.id, code) }
    }

    // MARK: What has come of it

    /// Nothing is wrong any more: it succeeds, as often as it is sent, and is done once.
    ///
    /// - Parameter count: how often it was done then, with all before.
    func expectOnce(_ send: Send, of count: Int) async throws {
        for _ in 0..<2 {
            let answer = try await send()
            #expect(answer.status < 300, "\(answer.text)")
            guard let expected = act.state else {
                #expect(answer.isSuccess)
                continue
            }
            let json = try JSON.parse(answer.body)
            let (id, state) = (try #require(json["id"]?.string), try #require(json["state"]?.string))
            #expect(String(decoding: state, as: UTF8.self) == expected)
            guard act.isAnswer else { continue }
            let receipt = try await bank.receipt(String(decoding: id, as: UTF8.self))
            #expect(receipt.answers.count == act.added.answers)
        }
        try await expectWhole()
        let now = try await Self.figures(bank.client)
        let expected = Figures(
            questions: before.questions + count * act.added.questions,
            originals: before.originals + count * act.added.originals,
            answers: before.answers + count * act.added.answers,
            devices: before.devices + count * act.added.devices)
        #expect(now == expected)
    }

    /// What the database has: none of it is half of anything.
    func expectWhole() async throws {
        try await expectWholeQuestions()
        try await expectWholeOriginals()
        try await expectWholeEnrolments()
        try await expectWholeFreezes()
        let unowned = try await count(
            """
            log_entries l WHERE l.type IN ('approval.given', 'approval.denied')
                AND NOT EXISTS (SELECT 1 FROM approval_prompts p WHERE p.entry = l.position)
                AND NOT EXISTS (SELECT 1 FROM original_challenges o WHERE o.entry = l.position)
            """)
        #expect(unowned == 0, "an entry without its answer")
    }

    /// In each question of the scene, all who are asked have to approve.
    private func expectWholeQuestions() async throws {
        let rows = try await rows(
            """
            SELECT c.id, c.state, c.outcome_signature, p.challenge, p.decision, p.device, p.signature, l.type
            FROM approval_challenges c LEFT JOIN approval_prompts p ON p.challenge = c.id
            LEFT JOIN log_entries l ON l.position = p.entry
            """)
        let questions = try Dictionary(grouping: rows) { try $0.text("id") }
        for (id, prompts) in questions {
            let state = try prompts[0].text("state")
            let isDecided = state == "approved" || state == "denied"
            #expect(try (prompts[0].optionalText("outcome_signature") != nil) == isDecided, "\(state): no outcome")
            var (allowed, denied) = (0, 0)
            for prompt in prompts {
                #expect(try prompt.optionalText("challenge") == id, "a question to nobody")
                let decision = try prompt.optionalText("decision")
                if decision == "allow" { allowed += 1 }
                if decision == "deny" { denied += 1 }
                let entry = decision.map { $0 == "allow" ? "approval.given" : "approval.denied" }
                #expect(try prompt.optionalText("type") == entry)
                for column in ["device", "signature"] {
                    #expect(try (prompt.optionalText(column) != nil) == (decision != nil), "\(state): \(column)")
                }
            }
            #expect(denied == (state == "denied" ? 1 : 0))
            #expect((allowed == prompts.count) == (state == "approved"), "\(state): \(allowed)")
        }
    }

    private func expectWholeOriginals() async throws {
        let rows = try await rows(
            """
            SELECT c.state, c.public_key, l.type
            FROM original_challenges c LEFT JOIN log_entries l ON l.position = c.entry
            """)
        for row in rows {
            let isApproved = try row.text("state") == "approved"
            let entry: String? = isApproved ? "approval.given" : nil
            #expect(try (row.optionalText("public_key") != nil) == isApproved)
            #expect(try row.optionalText("type") == entry)
        }
    }

    /// Each enrolment that is completed has its device, each device its entries, and who came back lost what was there.
    private func expectWholeEnrolments() async throws {
        let completed = "FROM approval_offers WHERE state = 'completed'"
        let enrolled = try await texts("SELECT label AS found \(completed)")
        let devices = try await texts("SELECT label AS found FROM approval_devices")
        #expect(devices == enrolled, "a device without its enrolment, or the reverse")
        let back = try await texts("SELECT label AS found \(completed) AND recovery IS NOT NULL")
        let removed = try await texts("SELECT label AS found FROM approval_devices WHERE removed IS NOT NULL")
        #expect(removed == back, "a lost device still answers, or another does not")

        let key = "SELECT public_key AS found FROM approval_devices"
        let old = "SELECT o.public_key AS found FROM original_uses u JOIN original_devices o ON o.id = u.app"
        let began = try await texts("\(key) UNION ALL \(old)")
        let ended = try await texts("\(key) WHERE removed IS NOT NULL UNION ALL \(old) WHERE u.removed IS NOT NULL")
        let (beginnings, ends) = (
            try await loggedKeys("approval_device.enrolled"), try await loggedKeys("approval_device.removed")
        )
        #expect(beginnings == began)
        #expect(ends == ended)
    }

    /// A denial froze the account if it is stored, and whatever waited beside it has ended.
    private func expectWholeFreezes() async throws {
        guard act == .freeze else { return }
        let denials = try await count("approval_prompts WHERE scope = 'account'")
        let unfrozen = try await count("log_entries WHERE type = 'approvals.unfrozen'")
        let frozen = try await count("approval_settings WHERE frozen IS NOT NULL")
        #expect(denials - unfrozen == frozen)
        for table in ["approval_challenges", "original_challenges"] {
            let cancelled = try await count("\(table) WHERE state = 'cancelled'")
            #expect(cancelled == denials, "\(table)")
        }
    }

    // MARK: What the database has

    private static func figures(_ client: TestClient) async throws -> Figures {
        Figures(
            questions: try await rows("SELECT id FROM approval_challenges", client).count,
            originals: try await rows("SELECT id FROM original_challenges WHERE step = 'approval'", client).count,
            answers: try await rows(
                "SELECT position FROM log_entries WHERE type IN ('approval.given', 'approval.denied')", client
            ).count,
            devices: try await rows("SELECT id FROM approval_devices", client).count)
    }

    private static func rows(_ sql: String, _ client: TestClient) async throws -> [Row] {
        try await client.organisation.server.environment.database.read { try $0.rows(sql) }
    }

    private func rows(_ sql: String) async throws -> [Row] { try await Self.rows(sql, bank.client) }

    private func count(_ table: String) async throws -> Int { try await rows("SELECT 1 AS one FROM \(table)").count }

    /// The texts of a column `found`, in order.
    private func texts(_ sql: String) async throws -> [String] {
        try await rows(sql).map { try $0.text("found") }.sorted()
    }

    /// The keys that the log's entries of a type are about, in order.
    private func loggedKeys(_ type: String) async throws -> [String] {
        let rows = try await rows("SELECT record FROM log_entries WHERE type = '\(type)'")
        return try rows.map { row -> String in
            let record = try JSON.parse(Bytes(text: try row.text("record")))
            let key = try #require(record["public_key"]?.string)
            return String(decoding: key, as: UTF8.self)
        }.sorted()
    }
}
