import Encodings
import Interface
import Storage

/// The fields that the organisation has defined, in the database.
struct ClientFieldStore {
    let transaction: Transaction

    /// Those that are asked, in their order.
    func fields() throws -> [ClientField] { try rows("removed IS NULL", "position, id") }

    /// Those that were removed, the last first.
    func removed() throws -> [ClientField] { try rows("removed IS NOT NULL", "removed DESC, id") }

    /// Replaces the fields.
    ///
    /// All must have an id. Those that are not among them are removed now.
    func set(_ fields: [ClientField], at time: Int64) throws {
        try transaction.execute(
            "UPDATE client_fields SET removed = $1, position = 0 WHERE removed IS NULL", [.integer(time)])
        for (position, field) in fields.enumerated() {
            let choices = JSON.array((field.choices ?? []).map(JSON.text)).serialized()
            try transaction.execute(
                """
                INSERT INTO client_fields (id, position, label, kind, choices, is_required, removed)
                VALUES ($1, $2, $3, $4, $5, $6, NULL)
                ON CONFLICT (id) DO UPDATE SET position = excluded.position, label = excluded.label,
                    choices = excluded.choices, is_required = excluded.is_required, removed = NULL
                """,
                [
                    .text(field.id ?? ""), .integer(Int64(position)), .text(field.label), .text(field.kind.rawValue),
                    .text(String(decoding: choices, as: UTF8.self)), .integer(field.isRequired ? 1 : 0),
                ])
        }
    }

    private func rows(_ condition: String, _ order: String) throws -> [ClientField] {
        try transaction.rows(
            """
            SELECT id, label, kind, choices, is_required FROM client_fields WHERE \(condition) ORDER BY \(order)
            """, []
        ).map { row in
            guard let kind = ClientField.Kind(rawValue: try row.text("kind")),
                let choices = try? JSON.parse(Bytes(text: row.text("choices"))).array
            else { throw StoredValueError(column: "client_fields.kind") }
            return ClientField(
                id: try row.text("id"), label: try row.text("label"), kind: kind,
                choices: kind == .choice ? choices.map { String(decoding: $0.string ?? [], as: UTF8.self) } : nil,
                isRequired: try row.integer("is_required") == 1)
        }
    }
}
