import HTTPTypes
import Storage
import Testing
import Workers

@testable import Server

/// The remains of a server when nothing refers to it any more.
///
/// Its threads and connections end with it. A few hundred servers that stay would take a process beyond the 1,024 files
/// that `select` can handle, and a wait for another program would then last for ever.
@Suite("A server that has ended")
struct EndedServerTests {
    private final class Remains {
        private weak var work: BlockingWork?
        private weak var events: EventHub?
        private weak var log: TransparencyLog?
        private weak var keys: ServerKeys?
        private weak var shell: Shell?
        private weak var database: AnyObject?

        init(_ server: CountersignServer) {
            let environment = server.environment
            (work, events, log) = (environment.work, environment.events, environment.log)
            (keys, shell, database) = (environment.serverKeys, server.shell, environment.database as AnyObject)
        }

        var names: [String] {
            [
                ("threads", work as AnyObject?), ("live updates", events), ("log", log), ("keys", keys),
                ("shell", shell),
                ("database", database),
            ].compactMap { $0.1 == nil ? nil : $0.0 }
        }
    }

    private func remains(after body: (TestOrganisation) async throws -> Void) async throws -> Remains {
        let organisation = try await TestOrganisation()
        try await body(organisation)
        return Remains(organisation.server)
    }

    @Test("leaves nothing behind that was only made")
    func made() async throws {
        let names = try await remains { _ in }.names
        #expect(names == [])
    }

    @Test("leaves nothing behind that has answered, described itself and had a desk")
    func served() async throws {
        let names = try await remains { organisation in
            try await organisation.serve { client in
                _ = try await Desk(client)
                let description = try await client.send(.get, "/openapi.json")
                #expect(description.status == 200)
            }
        }.names
        #expect(names == [])
    }
}
