import Encodings
import HTTPTypes
import Testing

@testable import Server

@Suite("/openapi.json")
struct DescriptionTests {
    @Test("describes every route of the whole server and no other")
    func complete() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let answer = try await client.send(.get, "/openapi.json")
            #expect(answer.status == 200)
            let paths = try #require(JSON.parse(answer.body)["paths"]?.members)
            var described: Set<String> = []
            for path in paths {
                for operation in path.value.members ?? [] where !operation.name.equals("parameters") {
                    let method = String(decoding: operation.name, as: UTF8.self).uppercased()
                    described.insert("\(method) \(String(decoding: path.name, as: UTF8.self))")
                }
            }
            let served = Set(
                organisation.server.routes.endpoints.map {
                    "\($0.method.rawValue) \($0.path.replacing("+}", with: "}"))"
                })
            #expect(described == served)
            #expect(served.count > 50)
        }
    }
}
