import Interface
import Storage
import Testing

@testable import Server

/// Searches for words that many have, sorted by name.
@Suite("Searches in the order of names")
struct NamedSearchTests {
    @Test("a name that many have is found at once in the order of names, wherever in the list they stand")
    func commonNames() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            // Seven thousand of nine have the words, at the end of the list. The first three words' beginnings have too
            // many entries to sort, and the fourth's has sixty different words.
            let words = [
                "'young'", "'yota'", "'yoke'", "'z' || (n % 60)", "'z' || (n % 60 + 100)", "'z' || (n % 60 + 200)",
            ]
            let named = words.map { "SELECT 'accounts', 'x' || n, \($0), 'young ' || n FROM number WHERE n > 2000" }
            let firsts = "SELECT 'accounts', 'x' || n, 'adam', 'adam ' || n FROM number WHERE n <= 2000"
            let both = "SELECT 'accounts', 'x' || n, 'adam', 'young ' || n FROM number WHERE n > 8998"
            try await organisation.server.environment.database.write { transaction in
                for statement in [
                    """
                    INSERT INTO accounts (id, username, name, role, passphrase, verified, created, sort_name)
                    SELECT 'x' || n, 'x' || n, 'X', 'member', '', n % 2, n,
                        CASE WHEN n > 2000 THEN 'young ' ELSE 'adam ' END || n FROM number
                    """
                ] + (named + [firsts, both]).map({ "INSERT INTO search_words (list, item, word, sort) \($0)" }) {
                    try transaction.execute(
                        """
                        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 9001)
                        \(statement)
                        """)
                }
            }
            let all = (2001...9001).map { "x\($0)" }.sorted()
            for (query, expected, most) in [
                // One word; three words that begin alike; those of one part.
                ("young", all, 36), ("yo", all, 36),
                ("yo&show=verified", all.filter { "13579".contains($0.suffix(1)) }, 36),
                // Two words: those who lack one of them are passed over, whichever is asked for first.
                ("adam+yo", ["x8999", "x9000", "x9001"], 2), ("young+adam", ["x8999", "x9000", "x9001"], 2),
                ("adam+yo&show=verified", ["x8999", "x9001"], 2), ("adam+yota+young", ["x8999", "x9000", "x9001"], 2),
                // One that many have beside many words of one beginning, whose entries are sorted.
                ("young+z1", all, 36), ("z1+adam", ["x8999", "x9000", "x9001"], 35),
                // Words that begin alike, too many to merge: the list is walked.
                ("z", all, 40),
            ] {
                var (seen, pages, next, first) = ([String](), 0, String?.none, 0)
                repeat {
                    let page = try await ListTests.page(
                        client, "q=\(query)&sort=name&limit=200" + (next.map { "&cursor=\($0)" } ?? ""), owner.token)
                    if pages == 0 { first = page.items.count }
                    (seen, pages, next) = (seen + page.items.map(\.id), pages + 1, page.next)
                } while next != nil && pages < 100
                #expect(seen == expected, "\(query)")
                #expect(pages <= most && (most != 36 || first > 0), "\(query): \(pages) pages, \(first) on the first")
            }
        }
    }
}
