import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// A failed attempt leaves a trace, and an erased client leaves none.
    @Suite("Traces at the desk")
    struct AttemptTests {
        private static func attempts(_ desk: Desk) async throws -> [DeskAttempt] {
            try await desk.client.send(.get, "/api/desk/attempts", token: desk.owner.token)
                .decode(Listing<DeskAttempt>.self).items
        }

        @Test(
            "a failed check, an unreadable capture, another tool, another document: each is on record with who and why")
        func recorded() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let stranger = try Desk.texts(SyntheticHand(seed: 2), 0..<1)[0]
                #expect(try await desk.register(hand, check: stranger).problem == "conflict")
                #expect(try await desk.register(hand, check: "{}").problem == "invalid-member")
                // Nobody is registered, and yet the attempt is known.
                let before = try await Self.attempts(desk)
                #expect(Set(before.map(\.why)) == [.checkFailed, .unreadable])
                #expect(before.allSatisfy { $0.act == .enrolment && $0.client == nil && $0.count == 1 })
                #expect(before.allSatisfy { $0.operatorID == desk.operatorSession.account.id })
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let good = try Desk.texts(hand, 30..<31)[0]
                let finger = try Desk.texts(hand, 31..<32, tool: .touch)[0]
                #expect(try await desk.sign(document, person, "{}").problem == "invalid-member")
                #expect(try await desk.sign(document, person, finger).problem == "invalid-member")
                #expect(
                    try await desk.sign(document, person, good, digest: SHA256.hash([1]).base64URL).problem
                        == "conflict")
                // The owner of the number is known now, so the history has the earlier attempts, too.
                let own = try await desk.client.send(
                    .get, "/api/desk/attempts?client=\(person.id)", token: desk.operatorSession.token
                ).decode(Listing<DeskAttempt>.self).items
                #expect(Set(own.map(\.why)) == [.checkFailed, .unreadable, .otherTool, .otherDocument])
                #expect(own.count == 5 && own.allSatisfy { $0.client == person.id })
                #expect(own.count { $0.act == .signing } == 3)
                // Nothing of a movement is kept.
                let rows = try await desk.organisation.rows()["desk_attempts"] ?? []
                #expect(
                    rows.count == 5
                        && rows.allSatisfy { row in
                            row.allSatisfy { if case .text(let text) = $0 { text.utf8.count <= 64 } else { true } }
                        })
                #expect(
                    try await desk.client.send(.get, "/api/desk/attempts", token: desk.member.token).problem
                        == "forbidden")
            }
        }

        @Test("pages hold every try once, the newest first: at all desks, or on a client, also before they were one")
        func pages() async throws {
            try await DeskTests.atDesk { desk in
                let person = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let environment = desk.organisation.server.environment
                let (start, hour) = (environment.now(), Int64(3_600))
                try await environment.database.write { transaction in
                    let hash = try #require(try ClientStore(transaction: transaction).find(id: person.id)).numberHash
                    let store = AttemptStore(transaction: transaction)
                    for number in 0..<450 {
                        // A client, the same person before they were one, and somebody else; three at a time.
                        let attempt = AttemptStore.New(
                            id: "try\(number * 7_919 % 1_000)", subject: [person.id, hash, "other"][number % 3],
                            act: .signing, why: .unreadable, operatorID: desk.operatorSession.account.id)
                        try store.add(attempt, at: start + Int64(number / 3) * hour)
                    }
                }
                for (query, count) in [("", 450), ("client=\(person.id)&", 300)] {
                    let seen: [DeskAttempt] = try await desk.pages("/api/desk/attempts?\(query)limit=70")
                    #expect(seen.count == count && Set(seen.map(\.id)).count == count, "\(query)")
                    #expect(zip(seen, seen.dropFirst()).allSatisfy { ($0.time, $0.id) > ($1.time, $1.id) }, "\(query)")
                    #expect(query.isEmpty || seen.allSatisfy { $0.client == person.id })
                }
                #expect(
                    try await desk.client.send(.get, "/api/desk/attempts?client=nobody", token: desk.owner.token)
                        .problem == "not-found")
            }
        }

        @Test("tries are found by the client's name, also those from before they were one, and each act is a part")
        func found() async throws {
            try await DeskTests.atDesk { desk in
                let person = try await desk.register(SyntheticHand(seed: 1)).decode(ClientAct.self).client
                let environment = desk.organisation.server.environment
                try await environment.database.write { transaction in
                    let hash = try #require(try ClientStore(transaction: transaction).find(id: person.id)).numberHash
                    let tries: [(id: String, subject: String, act: DeskAttempt.Act)] = [
                        ("t1", hash, .enrolment), ("t2", person.id, .signing), ("t3", "other", .signing),
                    ]
                    for one in tries {
                        try AttemptStore(transaction: transaction).add(
                            AttemptStore.New(
                                id: one.id, subject: one.subject, act: one.act, why: .unlike,
                                operatorID: desk.operatorSession.account.id),
                            at: environment.now())
                    }
                }
                func page(_ query: String) async throws -> Listing<DeskAttempt> {
                    try await desk.client.send(.get, "/api/desk/attempts?\(query)", token: desk.operatorSession.token)
                        .decode(Listing<DeskAttempt>.self)
                }
                let name = String(person.familyName.prefix(4))
                let cases: [(query: String, ids: [String], counts: [Int])] = [
                    ("", ["t3", "t2", "t1"], [3, 1, 0, 0, 2, 0]), ("show=signing", ["t3", "t2"], [3, 1, 0, 0, 2, 0]),
                    ("q=\(name)", ["t2", "t1"], [2, 1, 0, 0, 1, 0]),
                    ("q=\(name)&show=enrolment", ["t1"], [2, 1, 0, 0, 1, 0]),
                    ("client=\(person.id)&show=signing", ["t2"], [2, 1, 0, 0, 1, 0]),
                    ("q=nobody", [], [0, 0, 0, 0, 0, 0]),
                ]
                for (query, ids, counts) in cases {
                    let found = try await page(query)
                    #expect(found.items.map(\.id) == ids && found.next == nil, "\(query)")
                    #expect(found.counts?.map(\.total) == counts, "\(query)")
                }
                let file = try await desk.client.send(
                    .get, "/api/desk/attempts?q=\(name)&show=signing&format=csv", token: desk.operatorSession.token)
                let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\r\n").map(String.init)
                #expect(
                    lines.count == 2
                        && lines.first
                            == "id,act,why,client,client_name,operator_id,operator_name,time,last,count"
                )
                #expect(lines.last?.hasPrefix("t2,signing,unlike,\(person.id),") == true)
                // Where many have the word, the list is walked.
                let word = try #require(FoldedWords.of(person.familyName).first)
                try await environment.database.write { transaction in
                    try transaction.execute(
                        """
                        WITH RECURSIVE number (n) AS (
                            SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n <= \(Limits.found))
                        INSERT INTO search_words (list, item, word) SELECT 'clients', 'x' || n, '\(word)' FROM number
                        """)
                }
                let walked = try await page("q=\(name)")
                #expect(walked.items.map(\.id) == ["t2", "t1"] && (walked.counts ?? []).isEmpty)
            }
        }

        @Test("a try beyond the hourly limit is on record, and of many tries a bounded number of rows")
        func bounded() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                for text in try Desk.texts(SyntheticHand(seed: 9), 0..<UInt64(Limits.signingFailures)) {
                    #expect(try await desk.sign(document, person, text).status == 201)
                }
                let late = try await desk.sign(document, person, Desk.texts(hand, 30..<31)[0])
                #expect(late.problem == "conflict")
                #expect(try await Self.attempts(desk).map(\.why) == [.tooMany])
                let tries = Limits.attemptsOfClient + 10
                for _ in 0..<tries { #expect(try await desk.sign(document, person, "{}").status != 201) }
                let kept = try await Self.attempts(desk)
                #expect(kept.count == Limits.attemptsOfClient)
                #expect(kept.reduce(0) { $0 + $1.count } == Int64(tries) + 1)
                // One operator who tries many numbers.
                let environment = desk.organisation.server.environment
                try await environment.database.write { transaction in
                    let store = AttemptStore(transaction: transaction)
                    for number in 0..<Limits.attemptsOfOperator * 2 {
                        try store.add(
                            AttemptStore.New(
                                id: "id\(number)", subject: "s\(number)", act: .enrolment, why: .checkFailed,
                                operatorID: desk.operatorSession.account.id),
                            at: environment.now())
                    }
                }
                let rows = try await desk.organisation.rows()["desk_attempts"]
                #expect(rows?.count == Limits.attemptsOfOperator)
                // The next hour is another one, and after a year nothing is left.
                desk.organisation.clock.advance(.seconds(3_601))
                _ = try await desk.sign(document, person, "{}")
                #expect(try await desk.organisation.rows()["desk_attempts"]?.count == Limits.attemptsOfOperator + 1)
                desk.organisation.clock.advance(.seconds(Limits.attemptMemory + 1))
                let days = ServerConfiguration.KeepDays()
                try await RetentionService(environment: environment, days: days).sweep()
                #expect(try await desk.organisation.rows()["desk_attempts"]?.isEmpty == true)
            }
        }

        /// Where a text stands: files and tables.
        private static func places(of text: String, in organisation: TestOrganisation) async throws -> [String] {
            var places: [String] = []
            let paths = FileManager.default.enumerator(atPath: organisation.folder.path)
            while let path = paths?.nextObject() as? String {
                let data = try? Data(contentsOf: organisation.folder.appendingPathComponent(path))
                if data?.range(of: Data(text.utf8)) != nil { places.append(path) }
            }
            for (table, rows) in try await organisation.rows()
            where rows.contains(where: {
                $0.contains { if case .text(let value) = $0 { value.contains(text) } else { false } }
            }) {
                places.append("table \(table)")
            }
            return places
        }

        @Test(
            "of an erased client nothing is left that leads to a name or number: no entry, record, document or attempt")
        func erased() async throws {
            try await DeskTests.atDesk { desk in
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let other = try await desk.register(SyntheticHand(seed: 2), number: "XY 1").decode(ClientAct.self)
                    .client
                let document = try await desk.addDocument("Loan of Ada Lovelace")
                let token = desk.operatorSession.token
                let texts = try Desk.texts(hand, 30..<32)
                let confirmed = try await desk.sign(document, person, texts[0]).decode(Signing.self)
                #expect(
                    try await desk.client.send(.post, "/api/signings/\(confirmed.id)/confirm", token: token).status
                        == 200)
                let pending = try await desk.sign(document, person, texts[1]).decode(Signing.self)
                _ = try await desk.sign(document, person, "{}")
                let environment = desk.organisation.server.environment
                let (entries, sealed, blob) = try await environment.database.read { transaction in
                    let signings = SigningStore(transaction: transaction)
                    let stored = try #require(try signings.find(id: confirmed.id))
                    let acts = try ClientActListStore(transaction: transaction)
                        .page(client: person.id, .all, ListRequest()).rows
                    let client = try #require(try ClientStore(transaction: transaction).find(id: person.id))
                    return (
                        try LogStore(transaction: transaction).list(account: person.id, limit: 100),
                        [stored.sealed, stored.decision ?? "", stored.digest, client.numberHash, client.sealed]
                            + acts.map(\.sealed),
                        try #require(try WorkspaceStore(transaction: transaction).signedFile(digest: stored.digest))
                            .blob
                    )
                }
                var traces = sealed + entries.flatMap { [$0.opening, $0.record] }
                traces.append(blob)
                for trace in traces {
                    #expect(
                        try await !Self.places(of: trace, in: desk.organisation).isEmpty, "\(trace) never was there")
                }
                let erased = try await desk.client.send(
                    .post, "/api/clients/\(person.id)/erasure", Reason(reason: "They asked."), token: desk.owner.token)
                #expect(erased.status == 200)
                for trace in traces {
                    #expect(try await Self.places(of: trace, in: desk.organisation) == [], "\(trace) is still there")
                }
                #expect(try await environment.blobs.list().allSatisfy { $0.name != blob })
                // The id leads to transactions without name, number, evidence and document.
                let listed = try await desk.client.send(
                    .get, "/api/signings?client=\(person.id)", token: desk.owner.token
                ).decode(Listing<Signing>.self).items
                #expect(Set(listed.map(\.id)) == [confirmed.id, pending.id])
                for signing in listed {
                    let path = "/api/signings/\(signing.id)"
                    for part in ["/report", "/report.html", "/report.html.jws", "/document"] {
                        let answer = try await desk.client.send(.get, path + part, token: desk.owner.token)
                        #expect(answer.problem == "gone", "\(part)")
                    }
                    let movement = try await desk.client.send(
                        .post, path + "/movement", Reason(reason: "x"), token: desk.owner.token)
                    #expect(movement.problem == "gone")
                    let told = try await desk.client.send(.get, path, token: desk.owner.token)
                    #expect(try told.decode(Signing.self).state != .pending)
                    #expect(!String(decoding: told.body, as: UTF8.self).contains("Lovelace"))
                }
                #expect(try await Self.attempts(desk).isEmpty)
                let gone = ["clients/\(person.id)", "clients/\(person.id)/acts", "desk/attempts?client=\(person.id)"]
                for path in gone {
                    let answer = try await desk.client.send(.get, "/api/\(path)", token: desk.owner.token)
                    #expect(answer.problem == "not-found")
                }
                // Nobody else's are touched, and every blob is named by a row.
                let text = try Desk.texts(SyntheticHand(seed: 2), 30..<31)[0]
                #expect(try await desk.sign(document, other, text).decode(Signing.self).state == .pending)
                let stored = Set(try await environment.blobs.list().map(\.name))
                let named = try await environment.database.read {
                    try BlobColumnStore(transaction: $0, slices: Slice.all).names(at: 0)
                }
                #expect(stored == named)
            }
        }
    }
}
