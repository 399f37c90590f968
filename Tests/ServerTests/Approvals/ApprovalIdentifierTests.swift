import Approvals
import Encodings
import Interface
import Testing

@testable import Server

/// Nobody finds the ids of others' questions and enrolments from their own.
@Suite("The ids of questions and enrolments")
struct ApprovalIdentifierTests {
    /// Demands 16 bytes, of which hardly any are the same in two ids.
    ///
    /// Most are in ids that are counted up, made of the time or padded.
    private static func expectRandom(_ ids: [String]) throws {
        let all = try ids.map { text in try #require(Hex.decode(Bytes(text: text)), "\(text)") }
        #expect(all.allSatisfy { $0.count == 16 }, "\(ids)")
        for (index, one) in all.enumerated() {
            for two in all[..<index] {
                let same = zip(one, two).filter { $0 == $1 }.count
                #expect(same <= 4, "\(ids)")
            }
        }
    }

    @Test("two questions of one service have ids of 16 random bytes")
    func questions() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.enrolled().bank
            let (one, two) = (try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2")))
            try Self.expectRandom([one.id, two.id])
        }
    }

    @Test("two offers of one service, for one user or for two, have ids of 16 random bytes")
    func offers() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            var ids: [String] = []
            for user in ["alice", "alice", "bob"] { ids.append(try await bank.begin(user).id) }
            try Self.expectRandom(ids)
        }
    }

    @Test("in version 1 enrolments have such ids, too, and the numbers of challenges are not counted up")
    func original() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await OriginalStage.enrolled(client).bank
            let (one, two) = (try await bank.beginOriginal("alice"), try await bank.beginOriginal("alice"))
            try Self.expectRandom([one.id, two.id])
            var numbers: [Int64] = []
            for _ in 0..<4 { numbers.append(try await bank.askOriginal(bank.originalRequest()).1.messageID) }
            // Two random ones may happen to be near each other, and four do not.
            let steps = zip(numbers, numbers.dropFirst()).map { abs($0 - $1) }
            #expect(steps.contains { $0 > 1_000 }, "\(numbers)")
        }
    }
}
