import HTTPTypes
import Interface
import Logging
import Testing

@testable import Server

@Suite("The newest lines of the log")
struct RecentLogTests {
    @Test("keeps the newest of each part, which only the main administrator reads")
    func newest() async throws {
        try await TestOrganisation().serve { client in
            let owner = try await client.setUp(client.organisation.person("owner"))
            let recent = client.organisation.server.shell.recentLog
            let logger = Logger(label: "test") { _ in LineLogHandler(format: .json, recent: recent) { _ in } }
            // Lines that anybody can cause push nothing out.
            for _ in 0..<Limits.recentLines { logger.info("request refused", metadata: ["request": "a"]) }
            logger.error("the disk is full", metadata: ["path": "/srv\n/x"])
            for number in 0..<(Limits.recentLines + 10) {
                logger.info("\(RecentLog.requestMessage)", metadata: ["route": "/api/\(number)", "status": "200"])
            }
            let read = { (part: String) in
                try await client.send(.get, "/api/server-log?part=\(part)", token: owner.token)
            }
            // The requests have pushed nothing else out.
            let events = try await read("events").decode(Listing<ServerLogLine>.self).items
            #expect(events.map(\.message) == ["the disk is full"] && events[0].level == "error")
            #expect(events[0].details == [ServerLogDetail(name: "path", value: "/srv\n/x")])
            let requests = try await read("requests").decode(Listing<ServerLogLine>.self).items
            #expect(requests.count == Limits.recentLines)
            #expect(requests.first?.details.first?.value == "/api/\(Limits.recentLines + 9)")
            #expect(requests.last?.details.first?.value == "/api/10")
            #expect(try await read("all").problem == "bad-request")
            let administrator = try await client.join(
                client.organisation.person("admin"),
                invitation: try await client.invite(.administrator, token: owner.token))
            #expect(try await client.send(.get, "/api/server-log", token: administrator.token).status == 403)
            let member = try await client.join(client.organisation.person("member"))
            #expect(try await client.send(.get, "/api/server-log", token: member.token).status == 403)
        }
    }
}
