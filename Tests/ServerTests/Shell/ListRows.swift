import Encodings
import Interface
import Storage
import Testing

@testable import Server

/// Made-up rows of the lists that grow with an organisation.
enum ListRows {
    /// Rows of every list, each with people of its own.
    static func add(_ numbers: Range<Int>, _ organisation: TestOrganisation) async throws {
        let environment = organisation.server.environment
        try await environment.database.write { transaction in
            let owner = try #require(try AccountStore(transaction: transaction).find(username: "owner"))
            // Has links, if the test has such a member.
            let mary = try AccountStore(transaction: transaction).find(username: "mary")
            let device = try #require(try DeviceStore(transaction: transaction).list(account: owner.id).first)
            if numbers.lowerBound == 0 {
                try transaction.execute(
                    "INSERT INTO signed_files (digest, blob, media_type, created) VALUES ('d', '', '', 1)")
                try transaction.execute(
                    """
                    INSERT INTO approval_services (id, domain, name, key_hash, public_key, created)
                    VALUES ('bank', 'bank.example', 'Example Bank', 'h', 'k', 1)
                    """)
            }
            for number in numbers {
                let time = 1_000 + Int64(number)
                let (member, desk) = ("m\(number)", "o\(number)")
                for (id, role) in [(member, Role.member), (desk, .operator)] {
                    try AccountStore(transaction: transaction).insert(
                        Account(id: id, username: id, name: id, role: role, isVerified: true, created: time),
                        passphraseHash: "x", userHandle: nil)
                }
                let entry = try environment.log.record(
                    TrustEvent(.keyRotated, account: owner.id, [("key", .text("\(number)"))]), in: transaction,
                    now: time)
                try DocumentStore(transaction: transaction).insert(
                    DocumentStore.Stored(
                        id: "d\(number)", type: "degree", holder: member, device: device.id, issuer: desk,
                        credential: "k\(number)",
                        status: StatusPlace(list: 1, position: Int64(number)), size: 1, blob: "b\(number)",
                        statement: "", logIndex: entry, issued: time))
                try RequestStore(transaction: transaction).insert(
                    RequestStore.Stored(
                        id: "r\(number)", type: "degree", note: "", state: .pending, member: member, created: time,
                        changed: time))
                try DelegationStore(transaction: transaction).insert(
                    DelegationStore.Stored(
                        id: "a\(number)", account: desk, authorityKey: "k\(number)", state: .pending, capabilities: [],
                        certificate: "", status: StatusPlace(list: 2, position: Int64(number)), created: time))
                try ClientStore(transaction: transaction).insert(
                    ClientStore.Stored(
                        id: "c\(number)", numberHash: "h\(number)", givenName: "Ada", familyName: "L", tool: .pen,
                        sealed: "", created: time))
                try SigningStore(transaction: transaction).insert(
                    SigningStore.Stored(
                        id: "s\(number)", state: .confirmed, client: "c\(number)", operatorID: desk, document: "d",
                        documentName: "Consent", digest: "d", isMatch: true, created: time, sealed: ""))
                try addQuestion("q\(number)", to: owner.id, at: time, in: transaction)
                if let mary { try addLink("l\(number)", by: mary.id, to: "d\(number)", at: time, in: transaction) }
                try InvitationStore(transaction: transaction).insert(
                    Invitation(id: "i\(number)", role: .operator, created: time, expires: time + 1, used: nil),
                    codeHash: "h\(number)", by: owner.id)
                try AttemptStore(transaction: transaction).add(
                    AttemptStore.New(
                        id: "t\(number)", subject: "c\(number)", act: .signing, why: .unlike, operatorID: desk),
                    at: time)
                // All of the first client.
                let act = DeskAct(
                    .enrolled, client: "c0", template: "t", by: owner, paper: "passport", reason: "",
                    Circumstances(identified: true, device: ""), time: time, salt: "salt")
                try ClientActStore(transaction: transaction).insert(
                    ClientActStore.Stored(
                        id: "e\(number)", client: "c0", kind: .enrolled, time: time, operatorID: owner.id,
                        template: "t",
                        sealed: try TemplateBox(environment.keys)
                            .sealText(try act.canonical(), .clientAct, of: "e\(number)"),
                        logIndex: entry))
                try WorkspaceStore(transaction: transaction).insert(
                    WorkspaceStore.Stored(
                        id: "w\(number)", name: "Consent", kind: .text, version: 1, content: "", changed: time,
                        changedBy: desk))
            }
        }
    }

    /// A link to a document.
    private static func addLink(
        _ id: String, by account: String, to document: String, at time: Int64, in transaction: Transaction
    ) throws {
        try ShareStore(transaction: transaction).insert(
            ShareStore.Stored(
                share: Share(
                    id: id, document: document, created: time, expires: time + 1, views: 0, maximumViews: 1,
                    stopped: nil),
                account: account, codeHash: "", failures: 0, blob: ""))
    }

    /// A question of the service, cancelled unanswered.
    private static func addQuestion(
        _ id: String, to account: String, at time: Int64, in transaction: Transaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO approval_challenges
                (id, service, idempotency, request, message, state, wrong_codes, created, expires)
            VALUES ($1, 'bank', $1, '', '', 'cancelled', 0, $2, $2)
            """, [.text(id), .integer(time)])
        try transaction.execute(
            """
            INSERT INTO approval_prompts (challenge, account, label, service, created)
            VALUES ($1, $2, 'label', 'bank', $3)
            """, [.text(id), .text(account), .integer(time)])
    }
}

extension ListRequest {
    /// What comes after a row, in any order.
    static func after(_ number: Int64, in order: ListOrder) -> ListRequest {
        ListRequest(cursor: ListCursor(key: order.sort == .newest ? .time(number) : .name("\(number)"), id: "x"))
    }
}
