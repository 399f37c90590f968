import HTTPTypes
import Interface

extension RouteTable {
    /// A list that needs a session: page by page as JSON, or whole as a file (docs/http.md, "Lists").
    ///
    /// - Parameters:
    ///   - file: what the file is called, without its ending.
    ///   - parts: what `show` may say.
    ///   - sorts: the values of `sort` other than `newest`.
    ///   - filters: further parameters that narrow the list.
    ///   - isSearched: whether it takes `q`.
    ///   - problems: what it may answer instead, beside what every list may.
    ///   - more: the columns of a file behind those that the rows always have.
    ///   - page: reads one page, which begins and ends where the request says.
    mutating func list<Row: TableRow>(
        _ path: String, _ summary: String, _ permission: Permission?, file: String, of: Row.Type,
        parts: [String] = [], sorts: [ListSort] = [], filters: [QueryParameter] = [], isSearched: Bool = true,
        problems: [ProblemKind] = [],
        more: @escaping @Sendable () async throws -> [TableColumn<Row>] = { [] },
        page: @escaping @Sendable (ListRequest, Call, Principal) async throws -> Listing<Row>
    ) {
        var query: [QueryParameter] = []
        if !parts.isEmpty { query.append(QueryParameter("show", "The part of the list.", values: parts)) }
        if !sorts.isEmpty { query.append(.sort(sorts)) }
        query += filters
        if isSearched { query.append(.search) }
        query += QueryParameter.ofPages
        query.append(.format)
        securedQuery(
            path, summary, permission, query: query, answers: Listing<Row>.self, problems: problems
        ) { call, principal in
            let request = try call.listRequest(sorts: sorts)
            switch try call.choice("format") ?? ListFormat.json {
            case .json: return call.answer(try await page(request, call, principal), .ok)
            case .csv:
                return try await TableFile(
                    name: file, call: call, permission: permission, columns: Row.columns + (try await more())
                ) {
                    try await page($0, call, principal)
                }.response(request)
            }
        }
    }

    /// A list that needs a session, page by page as JSON: one that nobody searches, and that is no file.
    ///
    /// - Parameters:
    ///   - filters: parameters that narrow the list.
    ///   - problems: what it may answer instead, beside what every list may.
    ///   - page: reads one page, which begins and ends where the request says.
    mutating func pages<Element: Codable & Sendable>(
        _ path: String, _ summary: String, _ permission: Permission?, of: Element.Type,
        filters: [QueryParameter] = [], problems: [ProblemKind] = [],
        page: @escaping @Sendable (ListRequest, Call, Principal) async throws -> Listing<Element>
    ) {
        let query = filters + QueryParameter.ofPages
        securedQuery(
            path, summary, permission, query: query, answers: Listing<Element>.self, problems: problems
        ) { call, principal in
            let request = try call.listRequest(sorts: [])
            return call.answer(try await page(request, call, principal), .ok)
        }
    }
}

extension QueryParameter {
    fileprivate static func sort(_ sorts: [ListSort]) -> QueryParameter {
        QueryParameter(
            "sort", "What comes first; without it, `newest`.", values: ([.newest] + sorts).map(\.rawValue))
    }

    /// What lists take that are searched.
    fileprivate static let search = QueryParameter("q", "Beginnings of words that a row must have.")

    /// What lists take that are files, too.
    fileprivate static let format = QueryParameter(
        "format", "`csv` gives all rows as a file (RFC 4180).", values: ListFormat.names)

    /// What every list takes.
    fileprivate static let ofPages: [QueryParameter] = [
        QueryParameter("cursor", "`next` of the page before."),
        QueryParameter("limit", "Rows of a page, from 1 to \(Limits.listing); without it, \(Limits.page)."),
    ]
}
