import Encodings
import Interface
import Storage

/// What is sealed of a client.
struct ClientDetails: Sendable {
    /// The identity number as it was written.
    var number: String
    /// The paper that was seen last.
    var paper: String
    /// Why the client was enrolled again, or has another name.
    var reason: String
    /// Their values in fields that the organisation asks for, or has asked for, by the field's id.
    var fields: [String: String]

    init(number: String, paper: String, reason: String = "", fields: [String: String] = [:]) {
        (self.number, self.paper, self.reason, self.fields) = (number, paper, reason, fields)
    }

    init(_ stored: ClientStore.Stored, _ box: TemplateBox) throws {
        try self.init(try box.openText(stored.sealed, .clientDetails, of: stored.id))
    }

    /// Reads what was sealed; before there were fields, it had none.
    init(_ opened: Bytes) throws {
        guard let json = try? JSON.parse(opened), let number = json["number"]?.string,
            let paper = json["paper"]?.string,
            let reason = json["reason"]?.string
        else { throw StoredValueError(column: "clients.sealed") }
        func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
        self.init(number: text(number), paper: text(paper), reason: text(reason))
        for member in json["fields"]?.members ?? [] { fields[text(member.name)] = text(member.value.string ?? []) }
    }

    func canonical() throws -> Bytes {
        var members: [(String, JSON)] = [
            ("number", .text(number)), ("paper", .text(paper)), ("reason", .text(reason)),
        ]
        if !fields.isEmpty { members.append(("fields", .members(fields.map { ($0, .text($1)) }))) }
        return try JSON.members(members).canonical()
    }

    /// The values to show, in the order of the fields.
    func values(of asked: [ClientField]) -> [ClientFieldValue] {
        asked.compactMap { field in
            field.id.flatMap { id in fields[id].map { ClientFieldValue(field: id, value: $0) } }
        }
    }
}
