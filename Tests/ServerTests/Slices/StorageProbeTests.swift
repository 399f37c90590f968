import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Server

/// The answer of `/readyz` when the data directory cannot be written.
@Suite("Readiness")
struct StorageProbeTests {
    @Test("a data directory that takes nothing makes the server not ready, until it does again")
    func probe() async throws {
        let organisation = try await TestOrganisation()
        let probe = URL(fileURLWithPath: organisation.server.directory.file("probe"))
        try await organisation.serve { client in
            #expect(try await client.send(.get, "/readyz").status == 200)
            // A folder that is not empty cannot be replaced by a file.
            try FileManager.default.removeItem(at: probe)
            try FileManager.default.createDirectory(
                at: probe.appendingPathComponent("in the way"), withIntermediateDirectories: true)
            // It tries once a second, however often it is asked.
            #expect(try await client.send(.get, "/readyz").status == 200)
            organisation.clock.advance(.seconds(2))
            let refused = try await client.send(.get, "/readyz")
            #expect(refused.status == 503 && refused.problem == "busy")
            try FileManager.default.removeItem(at: probe)
            organisation.clock.advance(.seconds(2))
            #expect(try await client.send(.get, "/readyz").status == 200)
        }
    }
}
