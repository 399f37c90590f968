import Encodings
import HTTPTypes
import Interface

/// The description of the interface (OpenAPI 3.1), made from the table that the router is made from.
enum OpenAPI {
    /// The document.
    ///
    /// - Throws: `SchemaBook.Unsupported` when a type cannot be described.
    static func document(_ routes: RouteTable, publicURL: String) throws -> JSON {
        let book = SchemaBook()
        let problem = try book.schema(of: ProblemDetails.self)
        var paths: [(path: String, operations: [(String, JSON)])] = []
        for endpoint in routes.endpoints {
            let path = endpoint.path.replacing("+}", with: "}")
            let operation = (endpoint.method.rawValue.lowercased(), try operation(endpoint, book, problem))
            if let known = paths.firstIndex(where: { $0.path == path }) {
                paths[known].operations.append(operation)
            } else {
                paths.append((path, [operation]))
            }
        }
        return .members([
            ("openapi", .text("3.1.0")),
            ("info", information),
            ("servers", .array([.members([("url", .text(publicURL))])])),
            ("paths", .members(paths.map { ($0.path, .members($0.operations)) })),
            (
                "components",
                .members([
                    ("schemas", .members(book.components.map { ($0.name, $0.schema) })),
                    ("securitySchemes", security),
                ])
            ),
        ])
    }

    private static let information = JSON.members([
        ("title", .text("Countersign")), ("version", .text("1")),
        (
            "description",
            .text(
                "A member of a body that is not described is refused, never ignored. Times are seconds since 1970, "
                    + "bytes are base64url without padding. Every error is application/problem+json (RFC 9457).")
        ),
    ])

    private static let security = JSON.members([
        ("session", .members([("type", .text("http")), ("scheme", .text("bearer"))])),
        ("api_key", .members([("type", .text("http")), ("scheme", .text("bearer"))])),
    ])

    private static func operation(_ endpoint: Endpoint, _ book: SchemaBook, _ problem: JSON) throws -> JSON {
        var members: [(String, JSON)] = [
            ("summary", .text(endpoint.summary)), ("tags", .array([.text(endpoint.slice)])),
        ]
        switch endpoint.access {
        case .open, .signed: members.append(("security", .array([])))
        case .session: members.append(("security", needsSession))
        case .permission(let permission):
            members.append(("security", needsSession))
            members.append(("x-permission", .text(permission.rawValue)))
        case .program: members.append(("security", needsKey))
        }
        if endpoint.demands.contains(.device) { members.append(("x-device", .bool(true))) }
        if endpoint.demands.contains(.confirmation) { members.append(("x-confirmed", .bool(true))) }
        let parameters = endpoint.parameters.map(pathParameter) + endpoint.query.map(queryParameter)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let body = endpoint.takes {
            members.append(
                ("requestBody", .members([("required", .bool(true)), ("content", try content(body, book))])))
        }
        members.append(("responses", try responses(endpoint, book, problem)))
        return .members(members)
    }

    private static let needsSession = JSON.array([.members([("session", .array([]))])])
    private static let needsKey = JSON.array([.members([("api_key", .array([]))])])

    private static func pathParameter(_ name: String) -> JSON {
        .members([
            ("name", .text(name)), ("in", .text("path")), ("required", .bool(true)),
            ("schema", .members([("type", .text("string"))])),
        ])
    }

    private static func queryParameter(_ parameter: QueryParameter) -> JSON {
        let values = parameter.values.map { [("enum", JSON.array($0.map(JSON.text)))] } ?? []
        return .members([
            ("name", .text(parameter.name)), ("in", .text("query")), ("description", .text(parameter.meaning)),
            ("schema", .members([("type", .text("string"))] + values)),
        ])
    }

    private static func content(_ payload: Endpoint.Payload, _ book: SchemaBook) throws -> JSON {
        let schema = try payload.schema.map { try $0(book) }
        return .members([(payload.mediaType, .members(schema.map { [("schema", $0)] } ?? []))])
    }

    private static func responses(_ endpoint: Endpoint, _ book: SchemaBook, _ problem: JSON) throws -> JSON {
        var success: [(String, JSON)] = [("description", .text("Done."))]
        if let answer = endpoint.answers { success.append(("content", try content(answer, book))) }
        var responses = [(String(endpoint.status.code), JSON.members(success))]
        let kinds = Dictionary(grouping: endpoint.allProblems) { $0.status.code }
        for (status, kinds) in kinds.sorted(by: { $0.key < $1.key }) {
            let names = kinds.map { "`\($0.slug)`: \($0.title)" }.joined(separator: "; ")
            let content = JSON.members([("application/problem+json", .members([("schema", problem)]))])
            responses.append((String(status), .members([("description", .text(names)), ("content", content)])))
        }
        return .members(responses)
    }
}

extension Endpoint {
    /// The names in braces, in order.
    fileprivate var parameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.filter { !"{+}".contains($0) } }
    }
}
