import Encodings
import Storage

/// Where a page of a list ends: the sort key and the id of its last row, in one list, with one search and its filters.
///
/// It is a place, not a right: its sender sees only their own list, from there on.
struct ListCursor: Sendable, Equatable {
    /// What a list is sorted by (``ListOrder``).
    enum Key: Sendable, Equatable {
        case time(Int64)
        case name(String)
    }

    /// That of the row.
    var key: Key
    /// Tells rows with the same key apart.
    var id: String
    /// Tells apart what was asked for (``Call/listScope``).
    var scope = ""

    /// The text that a listing gives and takes.
    var text: String {
        let key =
            switch key {
            case .time(let time): "\(time)"
            case .name(let name): "=\(name)"
            }
        return Bytes(text: "\(id) \(scope) \(key)").base64URL
    }

    /// How the list is sorted.
    var sort: ListSort {
        switch key {
        case .time: .newest
        case .name: .name
        }
    }

    /// The key where it is a time, or a place in the log.
    var time: Int64? {
        switch key {
        case .time(let time): time
        case .name: nil
        }
    }

    /// The key, for the database.
    var value: SQLValue {
        switch key {
        case .time(let time): .integer(time)
        case .name(let name): .text(name)
        }
    }

    /// A cursor as a listing gave it; `nil` for any other text.
    init?(text: String) {
        guard text.utf8.count <= Limits.cursor, let bytes = Base64.decode(Bytes(text: text), .url),
            let plain = String(validating: bytes, as: UTF8.self), !plain.unicodeScalars.contains("\0")
        else { return nil }
        let parts = plain.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty else { return nil }
        if parts[2].hasPrefix("=") {
            key = .name(String(parts[2].dropFirst()))
        } else if let time = Int64(parts[2]) {
            key = .time(time)
        } else {
            return nil
        }
        (id, scope) = (String(parts[0]), String(parts[1]))
    }

    init(key: Key, id: String, scope: String = "") {
        (self.key, self.id, self.scope) = (key, id, scope)
    }
}
