import Encodings
import HTTPTypes
import HummingbirdTesting
import Interface
import Testing

@testable import Server

@Suite("The description and the routes are one thing")
struct OpenAPITests {
    /// `GET /path` of every operation in the document.
    private func operations(_ document: JSON) -> Set<String> {
        var found: Set<String> = []
        for path in document["paths"]?.members ?? [] {
            for operation in path.value.members ?? [] {
                let method = String(decoding: operation.name, as: UTF8.self).uppercased()
                found.insert(method + " " + String(decoding: path.name, as: UTF8.self))
            }
        }
        return found
    }

    @Test("each route is described, and each description is a route")
    func complete() async throws {
        let routes = sampleRoutes()
        try await withServer(routes: routes) { client in
            try await client.execute(uri: "/openapi.json", method: .get) { response in
                #expect(response.headers[.contentType] == "application/json")
                let document = try JSON.parse(response.bytes)
                #expect(document["openapi"] == .text("3.1.0"))
                let served = routes.endpoints.map { "\($0.method) \($0.path.replacing("+}", with: "}"))" }
                #expect(Set(served).count == served.count)
                #expect(operations(document) == Set(served))
                #expect(operations(document).contains("GET /openapi.json"))
            }
            for endpoint in routes.endpoints where !endpoint.path.contains("events") {
                let path = endpoint.path.replacing("{slug}", with: "gone").replacing("{id}", with: "1")
                    .replacing("{path+}", with: "a")
                try await client.execute(uri: path, method: endpoint.method) { response in
                    #expect(response.status != .notFound && response.status != .methodNotAllowed, "\(path)")
                }
            }
        }
    }

    @Test("schemas come from the types themselves")
    func schemas() throws {
        let document = try OpenAPI.document(sampleRoutes(), publicURL: "http://localhost:8080")
        let schemas = try #require(document["components"]?["schemas"])
        let sample = try #require(schemas[bytes: Bytes(text: SchemaBook.name(of: Sample.self))])
        let properties = try #require(sample["properties"])
        #expect(properties["is_ready"]?["type"] == .text("boolean"))
        #expect(properties["count"]?["type"] == .text("integer"))
        #expect(properties["public_url"]?["type"] == .text("string"))
        #expect(properties["colour"]?["enum"] == .array([.text("red"), .text("green")]))
        #expect(properties["list"]?["items"]?["$ref"] != nil)
        #expect(properties["note"]?["type"] == .text("string"))
        let required = try #require(sample["required"]?.array)
        #expect(required.contains(.text("inner")) && !required.contains(.text("note")))
        #expect(required.count == 7)
    }

    @Test("every route of the server is described, with each type that it takes and answers")
    func interface() async throws {
        let organisation = try await TestOrganisation()
        let routes = organisation.server.routes
        let document = try OpenAPI.document(routes, publicURL: TestOrganisation.url)
        let served = routes.endpoints.map { "\($0.method) \($0.path.replacing("+}", with: "}"))" }
        #expect(operations(document) == Set(served) && served.count > 90)
        for endpoint in routes.endpoints {
            let path = endpoint.path.replacing("+}", with: "}")
            let operation = document["paths"]?[bytes: Bytes(text: path)]?[
                bytes: Bytes(text: endpoint.method.rawValue.lowercased())]
            for (payload, described) in [
                (endpoint.takes, operation?["requestBody"]),
                (endpoint.answers, operation?["responses"]?[bytes: Bytes(text: "\(endpoint.status.code)")]),
            ] {
                guard let payload, payload.schema != nil else { continue }
                let content = described?["content"]?[bytes: Bytes(text: payload.mediaType)]
                #expect(content?["schema"]?.members?.isEmpty == false, "\(endpoint.method) \(path)")
            }
        }
        // Each name is one type's, and no reference leads nowhere.
        let schemas = try #require(document["components"]?["schemas"]?.members)
        let names = schemas.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(Set(names).count == names.count)
        let text = String(decoding: document.serialized(), as: UTF8.self)
        let references = text.matches(of: /"#\/components\/schemas\/([^"]+)"/).map { String($0.output.1) }
        #expect(Set(references).isSubset(of: names) && references.count > 100)
        #expect(names.contains("ListingOfDevice") && names.contains("DocumentType.Field"))
        let delegation = try #require(document["components"]?["schemas"]?["Delegation"])
        #expect(delegation["properties"]?["state"]?["enum"]?.array?.count == 3)
        #expect(delegation["properties"]?["status"]?["$ref"] == .text("#/components/schemas/StatusReference"))
    }

    @Test("access is described as it is enforced")
    func access() throws {
        let document = try OpenAPI.document(sampleRoutes(), publicURL: "http://localhost:8080")
        let me = try #require(document["paths"]?["/api/me"])
        #expect(me["delete"]?["x-permission"] == .text("delegate"))
        #expect(me["get"]?["security"]?.array?.count == 1)
        #expect(me["get"]?["responses"]?["401"] != nil && me["get"]?["responses"]?["403"] == nil)
        #expect(me["delete"]?["responses"]?["403"] != nil && me["delete"]?["responses"]?["204"] != nil)
        #expect(document["paths"]?["/api/sample"]?["post"]?["security"] == .array([]))
        #expect(document["paths"]?["/api/sample"]?["post"]?["responses"]?["413"] != nil)
        let tile = document["paths"]?["/tile/{path}"]?["get"]?["parameters"]?.array?.first
        #expect(tile?["name"] == .text("path"))
    }

    @Test("what a session must have besides is described, too")
    func demands() throws {
        var routes = RouteTable()
        routes.secured(
            .post, "/api/x", "X", .ownAccount, confirmed: true, device: true, answers: NoContent.self
        ) { _, _ in NoContent() }
        let document = try OpenAPI.document(routes, publicURL: "http://localhost:8080")
        let post = try #require(document["paths"]?["/api/x"]?["post"])
        #expect(post["x-confirmed"] == .bool(true) && post["x-device"] == .bool(true))
        let refusal = try #require(post["responses"]?["403"]?["description"]?.string)
        let words = String(decoding: refusal, as: UTF8.self)
        #expect(words.contains("confirmation-required") && words.contains("device-required"))
    }

    @Test("the last part of a path may be many parts")
    func rest() async throws {
        try await withServer { client in
            try await client.execute(uri: "/tile/0/x001/067.p/3", method: .get) { #expect($0.text == "0|x001|067.p|3") }
        }
    }
}
