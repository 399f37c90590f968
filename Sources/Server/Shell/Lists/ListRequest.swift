import Encodings
import HummingbirdCore

/// Which part of a list is asked for.
struct ListRequest: Sendable {
    /// Where the last page ended; `nil` for the first page.
    var cursor: ListCursor?
    /// Rows of a page.
    var limit: Int = Limits.page
    /// How the list is sorted.
    var sort = ListSort.newest
    /// Beginnings of words that a row must have, folded as `SearchWordStore` does.
    var words: [String] = []
    /// What its cursors are for (``Call/listScope``).
    var scope = ""
}

extension ListRequest {
    /// Whether texts have words that begin with each of those that are looked for: for lists that are read whole.
    func finds(_ texts: [String]) -> Bool {
        let present = SearchWordStore.words(of: texts)
        return words.allSatisfy { word in present.contains { $0.hasPrefix(word) } }
    }
}

/// What a parameter of a list may say.
protocol ListChoice: RawRepresentable<String>, CaseIterable, Sendable {}

/// A part of a list that people look at by itself, such as the open requests: the values of the parameter `show`.
protocol ListPart: ListChoice {}

extension ListChoice {
    /// All values, as they are written.
    static var names: [String] { allCases.map(\.rawValue) }
}

extension Call {
    /// Reads `cursor`, `limit`, `sort` and `q` from the query.
    ///
    /// - Parameter sorts: how else the list can be sorted, apart from the newest first.
    /// - Throws: `Problem` `bad-request`, which names the parameter.
    func listRequest(sorts: [ListSort]) throws(Problem) -> ListRequest {
        var request = ListRequest(scope: listScope)
        if let sort: ListSort = try choice("sort", among: [.newest] + sorts) { request.sort = sort }
        if let text = query("cursor") {
            guard let cursor = ListCursor(text: text), cursor.scope == request.scope, cursor.sort == request.sort else {
                throw Problem(
                    .badRequest, "cursor: take `next` of the page before, and ask for the same, or leave it out.")
            }
            request.cursor = cursor
        }
        if let text = query("limit") {
            guard let limit = Int(text), 1...Limits.listing ~= limit else {
                throw Problem(.badRequest, "limit: from 1 to \(Limits.listing).")
            }
            request.limit = limit
        }
        if let text = query("q") {
            guard text.utf8.count <= Limits.search else {
                throw Problem(.badRequest, "q: at most \(Limits.search) bytes.")
            }
            request.words = SearchWordStore.words(of: [text])
            guard request.words.count <= Limits.searchedWords else {
                throw Problem(.badRequest, "q: at most \(Limits.searchedWords) words.")
            }
        }
        return request
    }

    /// Tells the list and everything that is asked of it apart from others, except how much and from where.
    private var listScope: String {
        let asked = request.uri.queryParameters
            .filter { $0.key != "cursor" && $0.key != "limit" }
            .map { "\($0.key.utf8.count) \($0.key)=\($0.value)" }
            .sorted().joined(separator: "\u{0}")
        let digest = SHA256.hash(Bytes(text: "\(request.uri.path)\u{0}\(asked)"))
        return String(decoding: Hex.encode(Array(digest.prefix(8))), as: UTF8.self)
    }

    /// Reads `show` from the query.
    ///
    /// - Returns: `nil` when it is not given.
    /// - Throws: `Problem` `bad-request`, which names the values that there are.
    func listPart<Part: ListPart>(_ type: Part.Type) throws(Problem) -> Part? { try choice("show") }

    /// Reads a parameter that is one of a few.
    ///
    /// - Returns: `nil` when it is not given.
    /// - Throws: `Problem` `bad-request`, which names the values that there are.
    func choice<Choice: ListChoice>(_ name: String, among choices: [Choice]? = nil) throws(Problem) -> Choice? {
        guard let text = query(name) else { return nil }
        let choices = choices ?? Array(Choice.allCases)
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            throw Problem(.badRequest, "\(name): \(choices.map(\.rawValue).joined(separator: ", ")).")
        }
        return choice
    }
}
