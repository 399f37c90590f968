import BrowserCalls
import Documents
import Encodings

extension Browser {
    /// The types of documents and what their fields may hold.
    static let catalogue = [
        Function("catalogue", ["language"], listCatalogue),
        Function("validate", ["type", "fields"], validate),
        Function("totals", ["type", "fields"], totals),
    ]

    /// `{language?}` → a list as the HTTP interface has it, in one language, with the fields of lists too, and with the
    /// type that is issued face to face only.
    private static func listCatalogue(_ call: Call) throws(BrowserError) -> Answer {
        let language = try language(call)
        return Answer(
            .array(
                DocumentCatalogue.types.map { type in
                    .members([
                        ("id", .text(type.name)), ("title", .text(type.title(in: language))),
                        ("is_issued_on_request", .bool(type.isIssuedOnRequest)),
                        ("fields", json(type.fields, language)),
                    ])
                }))
    }

    private static func json(_ fields: [CatalogueField], _ language: Bytes) -> JSON {
        .array(
            fields.map { field in
                var members: [(String, JSON)] = [
                    ("name", .text(field.name)), ("label", .text(field.label(in: language))),
                    ("kind", .literal(field.kind.code)),
                    ("is_mandatory", .bool(field.isMandatory)),
                ]
                if case .list(let columns) = field.kind { members.append(("fields", json(columns, language))) }
                return .members(members)
            })
    }

    /// `{type, fields}` → `{problems: [{field, reason, words}]}`, empty when all is well.
    private static func validate(_ call: Call) throws(BrowserError) -> Answer {
        let problems = try type(call).problems(with: call.object("fields"))
        return Answer([
            (
                "problems",
                .array(
                    problems.map { problem in
                        .members([
                            ("field", .string(problem.field)), ("reason", .literal(problem.reason.code)),
                            ("words", .literal(problem.reason.words)),
                        ])
                    })
            )
        ])
    }

    /// `{type, fields}` → `{totals}`: what columns of lists add up to, by the field that says so.
    private static func totals(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("totals", .object(try type(call).totals(of: call.object("fields"))))])
    }

    /// The member `language`: what labels are in, if their type has such; English without it.
    static func language(_ call: Call) throws(BrowserError) -> Bytes {
        try call.optionalText("language", maximum: 35) ?? Bytes("en")
    }

    /// The member `type`: one of the catalogue's.
    static func type(_ call: Call) throws(BrowserError) -> CatalogueType {
        guard let type = DocumentCatalogue.type(named: try call.text("type")) else {
            throw BrowserError("unknown_type", "There is no such type of document.")
        }
        return type
    }
}

extension CatalogueField.Kind {
    /// The name in the HTTP interface.
    fileprivate var code: StaticString {
        switch self {
        case .text: "text"
        case .number: "number"
        case .date: "date"
        case .list: "list"
        }
    }
}
