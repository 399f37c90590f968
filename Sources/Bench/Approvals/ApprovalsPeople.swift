import CryptoProvider
import Encodings
import Foundation
import Interface

/// Members of one organisation, a service that asks them, and the answers that their devices give.
struct ApprovalsPeople: Sendable {
    let load: LoadGenerator
    private let asker: BenchAsker
    private let members: [ListenersMember]
    private let keys: [SigningKey]

    /// Sets an organisation up with as many members, who let themselves be asked as often as can be.
    init(port: Int, code: String, count: Int) async throws {
        let server = ListenersServer(port: port)
        let load = LoadGenerator(port: port, connections: count)
        let owner = try await PagesVisitor(load: load, code: code)
        let asker = try await BenchAsker(domain: "bank.example", by: owner, on: server)
        // It waits for sockets: on a thread of its own.
        let people = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try (0..<count).map { number in
                            let member = try ListenersMember(number: number, run: "a", on: server)
                            try member.allowQuestions()
                            return (member, try asker.enrol(member))
                        }
                    })
            }
        }
        self.load = load
        self.asker = asker
        members = people.map(\.0)
        keys = people.map(\.1)
    }

    /// Asks every member so many questions.
    ///
    /// - Returns: the requests that approve, members in turn.
    func answers(_ questions: Int) async throws -> [Bytes] {
        let asked = try (0..<questions).flatMap { _ in try members.map { try asker.question(to: $0) } }
        // On one connection answers come in the order of the questions.
        let answers = try await LoadGenerator(port: load.port, connections: 1).each(asked).bodies
        return try answers.enumerated().map { number, answer in
            try asker.approval(of: answer, by: keys[number % keys.count])
        }
    }
}

extension ListenersMember {
    /// Lets services ask as often as anybody can.
    func allowQuestions() throws {
        _ = try ask("PUT", "/api/approvals/settings", ApprovalBudget(perService: 60, together: 240))
    }
}
