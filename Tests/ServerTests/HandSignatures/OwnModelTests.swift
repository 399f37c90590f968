import CryptoProvider
import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Storage
import Testing

@testable import Server

extension DeskTests {
    /// An organisation's own models.
    @Suite("An organisation's own models")
    struct OwnModelTests {
        /// As strict as no hand can follow: it accepts nothing.
        private static func strict() throws -> SignatureModel {
            var model = try ShippedModels.read(.pen)
            model.threshold = -1_000
            return model
        }

        private static func rates(_ tool: String = "pen", of model: String = "cross-validation") -> Bytes {
            Bytes(
                text: """
                    {"format":"countersign-signature-rates-1","genuine":[-1000000,1],"judged_by":"\(model)","others":[2,3],\
                    "sets":["our two tablets"],"skilled":[1,2],"tool":"\(tool)"}
                    """)
        }

        private static func report(_ desk: Desk, _ id: String) async throws -> JSON {
            let answer = try await desk.client.send(.get, "/api/signings/\(id)/report", token: desk.owner.token)
            return try #require(try JSON.parse(answer.body)["report"])
        }

        @Test("judge from the next start, stand in records and reports, and change nothing of what was decided before")
        func installed() async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let models = OwnModels(environment: desk.organisation.server.environment)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await desk.addDocument()
                let texts = try Desk.texts(hand, 30..<33)
                let before = try await desk.sign(document, person, texts[0]).decode(Signing.self)
                #expect(before.comparison?.isMatch == true)
                _ = try await client.send(
                    .post, "/api/signings/\(before.id)/confirm", token: desk.operatorSession.token
                ).decode(Signing.self)
                let shipped = try await models.list()
                #expect(shipped.map(\.isOwn) == [false, false])

                let digest = SHA256.hash(try Self.strict().file()).base64URL
                let candidate = try OwnModels.candidate(
                    model: Self.strict().file(), rates: Self.rates(of: digest))
                #expect(candidate.errors == (genuineRefused: 5_000, forgedAccepted: 0))
                _ = try await models.install(candidate)
                let log = try await client.send(.get, "/api/log/mine", token: desk.owner.token)
                #expect(String(decoding: log.body, as: UTF8.self).contains("model.changed"))
                let own = try #require(try await models.list().first)
                #expect(own.isOwn && own.digest == digest)
                #expect(own.sets == ["our two tablets"] && own.threshold == -1_000)
                try await desk.afterStart { desk in
                    let refused = try await desk.sign(document, person, texts[1]).decode(Signing.self)
                    #expect(refused.state == .refused && refused.comparison?.threshold == -1_000_000_000)
                    let report = try await Self.report(desk, refused.id)
                    #expect(report["record"]?["model"] == .text(own.digest))
                    #expect(report["error_rates"]?["sets"] == .array([.text("our two tablets")]))
                    #expect(report["error_rates"]?["measured_by"] == .text("organisation"))
                    #expect(report["error_rates"]?["genuine_refused_per_10000"] == .integer(5_000))
                    let page = try await desk.client.send(
                        .get, "/api/signings/\(refused.id)/report.html", token: desk.owner.token)
                    #expect(String(decoding: page.body, as: UTF8.self).contains("Measured by this organisation"))
                    // A decided transaction keeps the model and the figures of its day.
                    let earlier = try await Self.report(desk, before.id)
                    #expect(earlier["record"]?["model"] == .text(shipped[0].digest))
                    #expect(earlier["error_rates"]?["measured_by"] == .text("program"))
                }

                _ = try await models.remove(.pen)
                #expect(try await models.list() == shipped)
                try await desk.afterStart { desk in
                    let again = try await desk.sign(document, person, texts[2]).decode(Signing.self)
                    #expect(again.comparison?.isMatch == true)
                }
            }
        }

        @Test("that cannot be read keep the server from judging, and can be removed")
        func unreadable() async throws {
            try await TestOrganisation().serve { client in
                _ = try await Desk(client)
                let environment = client.organisation.server.environment
                let models = OwnModels(environment: environment)
                _ = try await models.install(
                    OwnModels.candidate(model: Self.strict().file(), rates: Self.rates()))
                try await environment.database.write { transaction in
                    try transaction.execute("UPDATE desk_models SET model = $1", [.text("of another version")])
                }
                await #expect(throws: OwnModels.Unreadable(tool: .pen)) { try await models.list() }
                _ = try await models.remove(.pen)
                #expect(try await models.list().allSatisfy { !$0.isOwn })
            }
        }

        @Test("are refused when they are none, or are not for the same tool")
        func refused() async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let models = OwnModels(environment: desk.organisation.server.environment)
                let model = try Self.strict().file()
                #expect(throws: OwnModels.Refusal.model(.malformed)) {
                    try OwnModels.candidate(model: Bytes(text: "{}"), rates: Self.rates())
                }
                #expect(throws: OwnModels.Refusal.rates) { try OwnModels.candidate(model: model, rates: model) }
                #expect(throws: OwnModels.Refusal.otherTool) {
                    try OwnModels.candidate(model: model, rates: Self.rates("touch"))
                }
                #expect(throws: OwnModels.Refusal.otherModel) {
                    try OwnModels.candidate(
                        model: model, rates: Self.rates(of: ShippedModels.judging(.pen).digest))
                }
                await #expect(throws: OwnModels.Refusal.none) { try await models.remove(.touch) }
                #expect(try await models.list().allSatisfy { !$0.isOwn })
            }
        }
    }
}
