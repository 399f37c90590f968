import Documents
import Encodings
import Foundation
import Storage
import Testing

@testable import Server

@Suite("Status lists")
struct StatusListTests {
    @Test("what another process has revoked is in the next token, and an unchanged token is given again")
    func shared() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let here = organisation.server.environment
            let there = StatusLists(
                publicURL: here.publicURL, database: here.database, keys: here.keys, random: here.random,
                now: here.now)
            let lists = here.statusLists
            let place = try await here.database.write { transaction in
                try lists.reserve(isCertificate: false, in: transaction)
            }
            let before = try await lists.token(list: place.list)
            #expect(try await lists.token(list: place.list) == before)
            _ = try await there.token(list: place.list)
            _ = try await here.database.write { try StatusStore(transaction: $0).revoke(place, at: here.now()) }
            for each in [lists, there] {
                let after = try await each.token(list: place.list)
                #expect(after != before)
                #expect(try await each.token(list: place.list) == after)
            }
        }
    }
}
