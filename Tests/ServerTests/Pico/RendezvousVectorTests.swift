import Encodings
import Foundation
import Testing

@testable import Server

/// What the original server was seen to do (`rendezvous.json`), with ours on a real socket.
@Suite("The rendezvous over HTTP", .timeLimit(.minutes(5)))
struct RendezvousVectorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let requests: [Step]
        var testDescription: String { id }
    }

    struct Step: Sendable {
        let method: String
        let path: String
        let sends: Bytes?
        let status: Int
        let type: String?
        let body: JSON?
        /// Milliseconds that it waits before it is answered.
        let after: Int
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/pico-rendezvous.json")
        guard let data = try? Data(contentsOf: file), let json = try? JSON.parse(Array(data)) else { return [] }
        return (json["cases"]?.array ?? []).compactMap { one in
            guard let id = one["id"]?.text else { return nil }
            return Case(
                id: id,
                requests: (one["requests"]?.array ?? []).map { step in
                    Step(
                        method: step["method"]?.text ?? "", path: step["path"]?.text ?? "",
                        sends: step["send"]?.string.flatMap { Hex.decode($0) },
                        status: Int(step["expect_status"]?.integer ?? 0), type: step["expect_type"]?.text,
                        body: step["expect_body"], after: Int(step["after_ms"]?.integer ?? 0))
                })
        }
    }()

    @Test("all cases are there")
    func complete() { #expect(Self.cases.count == 9 && Self.cases.allSatisfy { !$0.requests.isEmpty }) }

    @Test("it answers as the original did", arguments: cases)
    func answers(_ vector: Case) async throws {
        try await withRendezvous { port, rendezvous, clock in
            try await withThrowingTaskGroup(of: (Step, HTTPText).self) { group in
                for step in vector.requests {
                    let (before, done) = (rendezvous.count, Signal())
                    group.addTask {
                        defer { done.set() }
                        return (step, try await ask(port, step.method, step.path, step.sends))
                    }
                    try await until { done.isSet || rendezvous.count != before }
                }
                if vector.requests.contains(where: { $0.after > 0 }) {
                    await clock.waitForSleepers(1)
                    #expect(clock.advance(.seconds(39)) == 1)
                    clock.advance(.seconds(1))
                }
                for try await (step, answer) in group { check(answer, step) }
            }
            #expect(rendezvous.count == 0)
        }
    }

    private func check(_ answer: HTTPText, _ step: Step) {
        #expect(answer.status == step.status, "\(step.method) \(step.path): \(answer)")
        guard step.status == 200 else { return }
        #expect(answer.fields["content-type"] == step.type && answer.fields["access-control-allow-origin"] == "*")
        #expect(answer.fields["content-length"] == String(answer.body.utf8.count))
        guard let text = step.body?.text else {
            let said = try? JSON.parse(Array(answer.body.utf8))
            #expect(said?["code"]?.integer == step.body?["code"]?.integer && answer.body.hasSuffix("}\n"))
            return
        }
        guard text.hasPrefix("regex:") else {
            return #expect(Hex.decode(Bytes(text: text)) == Bytes(text: answer.body))
        }
        #expect(answer.body.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(answer.body)")
    }
}

extension JSON {
    fileprivate var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }
}
