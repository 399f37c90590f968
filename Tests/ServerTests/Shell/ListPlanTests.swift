import Interface
import Storage
import Testing

@testable import Server

/// By which way a database reads lists, so that a million rows cost what a thousand cost.
@Suite("How lists are read")
struct ListPlanTests {
    @Test("no page of any list walks a table or sorts one")
    func pages() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            try Self.avoid(["enable_seqscan", "enable_sort"], transaction)
            var history: [KeysetStore] = []
            // Not searched, with few services found, and with more than are merged.
            let many = (0...Limits.mergedServices).map { "s\($0)" }
            let searches: [[String]?] = [nil, ["a", "b"], many]
            for services in searches {
                history += ApprovalHistoryStore.Part.allCases.map {
                    ApprovalHistoryStore(transaction: transaction).query("m", $0, of: services)
                }
            }
            let lists = try Self.lists(transaction) + history
            for statement in lists.flatMap({ $0.statements(.after(5, in: $0.order)).parts }) + Self.ownLog {
                let plan = try Self.plan(statement, transaction)
                let walks = TestDatabase.isPostgres ? ["Seq Scan", "Sort"] : ["SCAN", "B-TREE"]
                #expect(TestDatabase.isPostgres || plan[0].hasPrefix("SEARCH"), "\(statement): \(plan)")
                #expect(!plan.contains { line in walks.contains { line.contains($0) } }, "\(statement): \(plan)")
            }
        }
    }

    /// SQLite, in the same process, may look at a row for what a partial index is made by; PostgreSQL does not need to.
    @Test("a count reads an index, and on PostgreSQL nothing else")
    func counts() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            try Self.avoid(["enable_seqscan", "enable_bitmapscan", "enable_sort"], transaction)
            for statement in try Self.lists(transaction).map({ $0.counting().sql }) + [LogListStore.counting] {
                let ways = try Self.plan(statement, transaction).filter { $0.contains(" on ") || $0.contains("USING") }
                let way = TestDatabase.isPostgres ? "Index Only Scan" : "INDEX"
                #expect(!ways.isEmpty && ways.allSatisfy { $0.contains(way) }, "\(statement): \(ways)")
            }
        }
    }

    @Test("the own log is walked along its index, also for entries of some types")
    func ownPages() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            try Self.avoid(["enable_seqscan", "enable_bitmapscan", "enable_sort"], transaction)
            for statement in Self.ownLog + [LogListStore.counting] {
                let plan = try Self.plan(statement, transaction)
                #expect(plan.contains { $0.contains("log_entries_list") }, "\(statement): \(plan)")
            }
        }
    }

    /// PostgreSQL plans once for all words, and would read every word that begins with a letter to find those of a few rows.
    @Test("whether a row has a word is looked up for that row")
    func words() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            var all = SQLConditions()
            let words = SearchWordStore.condition(.accounts, item: "delegations.account", words: ["a", "b"])
            all.add(words.sql, words.values)
            let plan = try Self.plan("SELECT id FROM delegations \(all.clause)", transaction)
            let way = TestDatabase.isPostgres ? "SubPlan" : "CORRELATED"
            #expect(plan.count { $0.contains(way) } >= 2 && !plan.contains { $0.contains("Join") }, "\(plan)")
        }
    }

    @Test("whether an entry of a word has another word too is looked up for that entry")
    func otherWords() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            let (first, second) = (
                ListSearch.Walk.Word(beginning: "a", only: "a"), ListSearch.Walk.Word(beginning: "b", only: "b")
            )
            let walk = ListSearch.Walk(list: .accounts, item: "accounts.id", words: [first, second])
            var all = SQLConditions()
            let has = NamedSearchStore(transaction: transaction, walk: walk, most: 9).has(second, &all)
            let plan = try Self.plan(
                "SELECT CASE WHEN \(has) THEN 1 ELSE 0 END FROM (SELECT sort, item FROM search_words LIMIT 9) AS entries",
                transaction)
            // PostgreSQL tells what an entry is found by.
            let way = TestDatabase.isPostgres ? "(item = entries.item)" : "CORRELATED"
            #expect(plan.contains { $0.contains(way) }, "\(plan)")
        }
    }

    @Test("those who are due are counted without a look at those who are not")
    func due() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            try Self.avoid(["enable_seqscan"], transaction)
            for sort in ListSort.allCases {
                let list = try ClientListStore(transaction: transaction).query(.due, [], sort, now: 5)
                let plan = try Self.plan(list.counting().sql, transaction)
                #expect(plan.contains { $0.contains("clients_due") }, "\(plan)")
            }
        }
    }

    /// What reads pages of the own log: of all entries, of those of some types, and how far it looks for these.
    private static let ownLog: [String] = {
        let pages: [(types: [String]?, end: Int64?)] = [(nil, nil), (["a.b", "c.d"], nil), (["a.b", "c.d"], 5)]
        return pages.map { LogStore.page(account: "m", types: $0.types, before: 5, to: $0.end, limit: 9).sql }
            + [LogListStore.walk]
    }()

    /// Has PostgreSQL take other ways if there are any: it would read an empty table whole.
    private static func avoid(_ ways: [String], _ transaction: Transaction) throws {
        guard TestDatabase.isPostgres else { return }
        for way in ways { _ = try transaction.rows("SELECT set_config('\(way)', 'off', true)") }
    }

    /// Every part of every list in each of its orders, of everybody and of one person.
    private static func lists(_ transaction: Transaction) throws -> [KeysetStore] {
        var lists: [KeysetStore] = []
        let accounts = AccountListStore(transaction: transaction)
        let requests = RequestListStore(transaction: transaction)
        let documents = DocumentListStore(transaction: transaction)
        let delegations = DelegationListStore(transaction: transaction)
        let clients = ClientListStore(transaction: transaction)
        let signings = SigningListStore(transaction: transaction)
        for sort in ListSort.allCases {
            lists += try AccountListStore.Part.allCases.map { try accounts.query($0, [], sort) }
            lists += try ClientListStore.Part.allCases.map { try clients.query($0, [], sort, now: 5) }
        }
        for person in [nil, "m"] {
            lists += try RequestListStore.Part.allCases.map { try requests.query(person, $0, []) }
            lists += try DelegationListStore.Part.allCases.map { try delegations.query(person, $0, []) }
            lists += try DocumentListStore.Part.allCases.map { try documents.query(person, $0, []) }
        }
        let filters: [SigningListStore.Filter] = [
            .init(), .init(client: "c"), .init(operatorID: "o"), .init(document: "d"), .init(from: 1, to: 9),
        ]
        for filter in filters {
            lists += try SigningListStore.Part.allCases.map { try signings.query($0, filter, [], now: 5) }
        }
        lists += try InvitationListStore.Part.allCases.map {
            try InvitationListStore(transaction: transaction).query($0, [], now: 5)
        }
        for document in [nil, "d"] {
            lists += ShareListStore.Part.allCases.map {
                ShareListStore(transaction: transaction).query(account: "m", document: document, $0, now: 5)
            }
        }
        lists.append(VaultLinkStore(transaction: transaction).query(account: "m"))
        lists.append(VaultMemberStore(transaction: transaction).query(account: "m"))
        lists.append(VaultStore(transaction: transaction).query(contact: "m"))
        lists += ClientActListStore.Part.allCases.map {
            ClientActListStore(transaction: transaction).query(client: "c", $0)
        }
        for subjects in [nil, ["c", "n"]] {
            lists += try AttemptListStore.Part.allCases.map {
                try AttemptListStore(transaction: transaction).query(subjects: subjects, $0, [])
            }
        }
        return lists
    }

    /// The database's plan for a query, with made-up values instead of placeholders.
    private static func plan(_ statement: String, _ transaction: Transaction) throws -> [String] {
        let explain = TestDatabase.isPostgres ? "EXPLAIN" : "EXPLAIN QUERY PLAN"
        return try transaction.rows("\(explain) \(statement.replacing(/\$\d+/, with: "'5'"))").map {
            try $0.text(TestDatabase.isPostgres ? "QUERY PLAN" : "detail")
        }
    }
}
