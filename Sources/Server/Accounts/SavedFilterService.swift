import Foundation
import Interface
import Storage

/// Why a filter is not saved.
enum SavedFilterError: Error, Equatable {
    case invalidName
    case invalidQuery
    /// No page of this path can have a list.
    case invalidList
    case tooMany
    case notFound
}

extension SavedFilterError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .invalidName: Problem(.invalidMember, "name: 1 to 60 characters of visible text, in one line.")
        case .invalidQuery:
            Problem(.invalidMember, "query: what a page asks its list, at most \(Limits.filterQuery) bytes.")
        case .invalidList: Problem(.invalidMember, "list: the path of a page that has a list.")
        case .tooMany:
            Problem(.conflict, "You have \(Limits.savedFilters) saved filters. Remove one first.")
        case .notFound: Problem(.notFound, "There is no such saved filter.")
        }
    }
}

/// A person's saved searches in lists.
struct SavedFilterService {
    let environment: Environment

    func list(_ principal: Principal) async throws -> [SavedFilter] {
        try await environment.database.read { try SavedFilterStore(transaction: $0).list(of: principal.account) }
    }

    /// Saves a filter; one that asks the same of the same list gets the new name instead.
    func save(_ request: NewSavedFilter, _ principal: Principal) async throws -> SavedFilter {
        let name = try Self.name(request.name)
        let query = try Self.query(request.query)
        guard environment.slices.pages.contains(where: { $0.path == request.list && $0.place != nil }) else {
            throw SavedFilterError.invalidList
        }
        let (id, now) = (environment.newIdentifier(), environment.now())
        return try await environment.database.write { transaction in
            let store = SavedFilterStore(transaction: transaction)
            let all = try store.list(of: principal.account)
            if var same = all.first(where: { $0.list == request.list && $0.query == query }) {
                try store.rename(same.id, to: name, of: principal.account)
                same.name = name
                return same
            }
            guard all.count < Limits.savedFilters else { throw SavedFilterError.tooMany }
            let filter = SavedFilter(id: id, list: request.list, name: name, query: query, created: now)
            try store.insert(filter, of: principal.account)
            return filter
        }
    }

    func rename(_ id: String, _ request: SavedFilterRename, _ principal: Principal) async throws -> SavedFilter {
        let name = try Self.name(request.name)
        return try await environment.database.write { transaction in
            let store = SavedFilterStore(transaction: transaction)
            guard var filter = try store.list(of: principal.account).first(where: { $0.id == id }) else {
                throw SavedFilterError.notFound
            }
            try store.rename(id, to: name, of: principal.account)
            filter.name = name
            return filter
        }
    }

    func remove(_ id: String, _ principal: Principal) async throws {
        try await environment.database.write { transaction in
            let store = SavedFilterStore(transaction: transaction)
            guard try store.list(of: principal.account).contains(where: { $0.id == id }) else {
                throw SavedFilterError.notFound
            }
            try store.delete(id, of: principal.account)
        }
    }

    private static func name(_ text: String) throws -> String {
        // Visible text, as a name; a character has at most four bytes.
        guard let name = try? AccountRules.name(text, limit: 1...(Limits.filterName.upperBound * 4)),
            Limits.filterName.contains(name.unicodeScalars.count)
        else { throw SavedFilterError.invalidName }
        return name
    }

    /// Names and values as a browser writes them into an address.
    private static func query(_ text: String) throws -> String {
        let signs = Set("-._~%+*=&".utf8)
        let isQuery = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || signs.contains(byte)
        }
        guard isQuery, (1...Limits.filterQuery).contains(text.utf8.count) else { throw SavedFilterError.invalidQuery }
        return text
    }
}
