import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Interface
import Testing

@testable import Server

extension DeskTests {
    /// A model says when it judges devices from which it has not learnt.
    @Suite("Devices that the model does not know")
    struct ComparedDeviceTests {
        private static let hand = SyntheticHand(seed: 1)

        /// The same signatures from a device that is half as fast.
        private static func slowed(_ capture: Capture) -> Capture {
            var capture = capture
            for index in capture.samples.indices { capture.samples[index].time *= 2 }
            return capture
        }

        /// A confirmed transaction names its device: in the answer, in the signed record, on the report's page.
        private struct Told: Sendable {
            let enrolment, answer: ComparedDevice?
            let record: JSON?
            let page: String
        }

        /// Enrols and signs where the model has learnt from a device, or does not say from which.
        private static func sign(
            learntFrom device: Capture?, _ body: @escaping @Sendable (Told) async throws -> Void
        ) async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                var model = try ShippedModels.read(.pen)
                model.learntFrom =
                    try device.map { device in
                        [SignatureModel.Source(name: [0x61], users: 9, traits: try RecordingTraits(device))]
                    } ?? []
                let rates = try ShippedModels.judging(.pen).rates
                _ = try await OwnModels(environment: desk.organisation.server.environment)
                    .install(OwnModels.candidate(model: model.file(), rates: rates.file()))
                try await desk.afterStart { desk in
                    let act = try await desk.register(hand).decode(ClientAct.self)
                    let signing = try await desk.sign(
                        try await desk.addDocument(), act.client, try Desk.texts(hand, 30..<31)[0]
                    ).decode(Signing.self)
                    let path = "/api/signings/\(signing.id)"
                    _ = try await desk.client.send(.post, path + "/confirm", token: desk.operatorSession.token)
                    let report = try await desk.client.send(.get, path + "/report", token: desk.owner.token)
                    let page = try await desk.client.send(.get, path + "/report.html", token: desk.owner.token)
                    let json = try JSON.parse(report.body, maximumLength: 1 << 24)["report"]
                    try await body(
                        Told(
                            enrolment: act.comparison?.device, answer: signing.comparison?.device,
                            record: json?["record"]?["comparison"]?["device"],
                            page: String(decoding: page.body, as: UTF8.self)))
                }
            }
        }

        @Test("are told in the answer, in the signed record and on the page of the report")
        func other() async throws {
            try await Self.sign(learntFrom: Self.slowed(try Self.hand.signature(1))) { told in
                let device = try #require(told.answer)
                #expect(device.fit == .other && told.enrolment?.fit == .other)
                #expect(device.sentence.contains("has not learnt from a device like this one (pen, 1"))
                #expect(device.sentence.contains("samples a second, with pressure)"))
                #expect(told.record?["fit"] == .text("other") && told.record?["sentence"] == .text(device.sentence))
                #expect(told.page.contains("<strong>Another device.</strong> \(device.sentence)"))
            }
        }

        @Test("are not claimed where kind, rate and pressure are those of a device that it has learnt from")
        func alike() async throws {
            try await Self.sign(learntFrom: try Self.hand.signature(1)) { told in
                #expect(told.answer?.fit == .alike && told.enrolment?.fit == .alike)
                #expect(told.record?["fit"] == .text("alike"))
                #expect(told.page.contains("devices like this one") && !told.page.contains("Another device"))
            }
        }

        @Test("are unknown to a model that does not say from what it has learnt")
        func unknown() async throws {
            try await Self.sign(learntFrom: nil) { told in
                #expect(told.answer?.fit == .unknown && told.record?["fit"] == .text("unknown"))
                #expect(told.page.contains("<p class=\"device\">The model does not say which devices"))
            }
        }

        @Test("are not spoken of in transactions of before")
        func before() throws {
            #expect(ComparedDevice(fact: nil) == nil && ComparedDevice(fact: .null) == nil)
            let record = JSON.members([("comparison", .members([("score", .integer(1))]))])
            #expect(
                !(try SigningReportPage(.members([("record", record)]), document: []).html().contains(
                    "class=\"device\"")))
        }
    }
}
