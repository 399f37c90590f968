import Encodings
import Storage

/// Where a page of a list ends: the sort key and the id of its last row, in one list, with one search and its filters.
///
/// It is a place, not a right: whoever sends one sees no more than their own list, from there on.
struct ListCursor: Sendable, Equatable {
    /// What the list sorts by.
    var key: Int64
    /// Tells rows with the same key apart.
    var id: String
    /// Tells what somebody asked for apart (``Call/listScope``).
    var scope = ""

    /// The text that a listing gives and takes.
    var text: String { Bytes(text: "\(key) \(id) \(scope)").base64URL }

    /// A cursor as a listing gave it; `nil` for any other text.
    init?(text: String) {
        guard text.utf8.count <= Limits.cursor, let bytes = Base64.decode(Bytes(text: text), .url),
            let plain = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = plain.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let key = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        (self.key, id, scope) = (key, String(parts[1]), String(parts[2]))
    }

    init(key: Int64, id: String, scope: String = "") {
        (self.key, self.id, self.scope) = (key, id, scope)
    }
}
