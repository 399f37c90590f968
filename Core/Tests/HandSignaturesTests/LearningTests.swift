import Encodings
import Fuzzing
import Testing

@testable import HandSignatures

/// A template follows its hand, and no other.
@Suite("Learning")
struct LearningTests {
    private static let day: Int64 = 86_400
    private let model: SignatureModel
    private let client = SyntheticHand(seed: 1)

    init() throws { model = try ShippedModel.read(.pen) }

    private func template() throws -> SignatureTemplate {
        try SignatureTemplate((0..<5).map { try client.signature($0) }, times: [0, 0, 0, 0, 0])
    }

    private func learn(
        _ template: inout SignatureTemplate, _ capture: Capture, day: Int
    ) throws -> SignatureTemplate.Lesson {
        let candidate = try #require(try template.candidate(capture, by: model))
        return template.learn(candidate, time: Int64(day) * Self.day)
    }

    private func isAccepted(_ capture: Capture, by template: SignatureTemplate) throws -> Bool {
        try Desk(template.references.map(\.capture), model).difference(capture) <= 0
    }

    /// A blend every day, as near to the stranger as the template of that day accepts.
    ///
    /// - Parameter take: what the template does with an accepted signature.
    private func walk(
        _ template: inout SignatureTemplate, to stranger: SyntheticHand, days: Int,
        take: (inout SignatureTemplate, Capture, Int) throws -> Void
    ) throws {
        var share = 0.0
        for day in 1...days {
            let (own, other) = (try client.signature(UInt64(100 + day)), try stranger.signature(UInt64(200 + day)))
            let desk = try Desk(template.references.map(\.capture), model)
            for step in [0.3, 0.2, 0.12, 0.06, 0] where share + step <= 1 {
                let blend = try BlendForger.blend(own, other, share: share + step)
                guard try desk.difference(blend) <= 0 else { continue }
                share += step
                try take(&template, blend, day)
                break
            }
        }
    }

    @Test(
        "a template that learns whatever it accepts is walked to a stranger; one that is bound to its first five is not"
    )
    func walked() throws {
        let stranger = SyntheticHand(seed: Self.stranger)
        let goal = try stranger.signature(50)
        var blind = try template()
        #expect(try !isAccepted(goal, by: blind))
        try walk(&blind, to: stranger, days: 12) { template, capture, day in
            var oldest = SignatureTemplate.lasting
            for place in template.references.indices.dropFirst(oldest)
            where template.references[place].time < template.references[oldest].time { oldest = place }
            template.references[oldest] = SignatureTemplate.Reference(capture: capture, time: Int64(day) * Self.day)
        }
        #expect(try isAccepted(goal, by: blind), "the attack is one")

        var bound = try template()
        let first = bound.confirmed
        try walk(&bound, to: stranger, days: 12) { template, capture, day in
            _ = try self.learn(&template, capture, day: day)
        }
        #expect(try !isAccepted(goal, by: bound))
        #expect(bound.confirmed == first, "what was confirmed face to face is not learnt away")
        #expect(bound.needsVisit, "somebody has to look at a paper")
    }

    @Test("a hand that changes slowly is learnt, one signature a day, and never in the place of the first two")
    func slowly() throws {
        var template = try template()
        let before = template
        #expect(try learn(&template, client.signature(100), day: 0) == .passedOver)
        for day in 1...6 {
            let capture = try BlendForger.slower(client.signature(UInt64(100 + day)), 1 + 0.004 * Double(day))
            #expect(try isAccepted(capture, by: template))
            #expect(try learn(&template, capture, day: day) == .learnt)
            let another = try client.signature(UInt64(150 + day))
            #expect(try learn(&template, another, day: day) == .passedOver, "once a day")
        }
        #expect(template.references.prefix(2) == before.references.prefix(2))
        #expect(Set(template.references.dropFirst(2).map(\.time)) == Set((4...6).map { $0 * Self.day }))
        #expect(template.confirmed == before.references && template.lessons.learnt == 6 && !template.needsVisit)
        // All of it is kept.
        #expect(try SignatureTemplate(file: template.file()) == template)
    }

    @Test("a signature that the confirmed five accept by less than 1.0 has strayed; accepted by more, it is learnt")
    func margin() throws {
        let (before, stranger) = (try template(), SyntheticHand(seed: Self.stranger))
        let desk = try Desk(before.confirmed.map(\.capture), model)
        var (learnt, strayed) = (0, 0)
        for number in 1...12 as ClosedRange<UInt64> where learnt == 0 || strayed == 0 {
            let (own, other) = (try client.signature(100 + number), try stranger.signature(200 + number))
            for step in 0...50 {
                let blend = try BlendForger.blend(own, other, share: Double(step) / 50)
                let difference = try desk.difference(blend)
                guard difference <= 0 else { break }
                guard difference > -2 else { continue }
                var after = before
                let lesson = try learn(&after, blend, day: 1)
                if difference <= -1 {
                    #expect(lesson == .learnt, "\(difference)")
                    learnt += 1
                } else {
                    #expect(lesson == .strayed && after.references == before.references, "\(difference)")
                    strayed += 1
                }
            }
        }
        #expect(learnt > 0 && strayed > 0, "nothing was as near to the margin")
    }

    @Test("after so many lessons, or signatures that have strayed in a row, it learns nothing before another visit")
    func bounds() throws {
        let capture = try client.signature(101)
        var spent = try template()
        spent.lessons.learnt = SignatureTemplate.mostLearnt - 1
        #expect(try learn(&spent, capture, day: 1) == .visitNeeded)
        let learnt = spent
        #expect(learnt.references[2].capture == capture && learnt.needsVisit)
        #expect(try learn(&spent, client.signature(102), day: 3) == .visitNeeded)
        #expect(spent == learnt)

        // A signature unlike the first five is not learnt, even if the operator confirms it.
        var strayed = try template()
        let other = try SyntheticHand(seed: Self.stranger).signature(1)
        for day in 1..<SignatureTemplate.mostStrays { #expect(try learn(&strayed, other, day: day) == .strayed) }
        #expect(strayed.references == strayed.confirmed && !strayed.needsVisit)
        var forgiven = strayed
        #expect(try learn(&forgiven, capture, day: 9) == .learnt && forgiven.lessons.strays == 0)
        #expect(try learn(&strayed, other, day: 9) == .visitNeeded)
        #expect(strayed.needsVisit)

        // A visit begins all of it again.
        let three = try (21...23).map { try client.signature($0) }
        try strayed.addSitting(three, time: 900 * Self.day)
        #expect(!strayed.needsVisit && strayed.confirmed == strayed.references && strayed.lessons == .init())
        let late = try #require(try learnt.candidate(capture, by: model))
        #expect(
            strayed.learn(late, time: 999 * Self.day) == .passedOver, "compared with others than the confirmed ones")
    }

    @Test("a template of version 0.3 learns on when it has learnt nothing yet; one that has needs a visit first")
    func version03() throws {
        var fresh = try SignatureTemplate(file: Self.version03(template()))
        #expect(!fresh.needsVisit && fresh.confirmed == fresh.references)
        #expect(try learn(&fresh, client.signature(101), day: 1) == .learnt)

        var walked = try template()
        walked.references[3] = SignatureTemplate.Reference(capture: try client.signature(70), time: 5 * Self.day)
        var read = try SignatureTemplate(file: Self.version03(walked))
        #expect(read.needsVisit && read.confirmed.isEmpty)
        #expect(try read.candidate(client.signature(101), by: model) == nil)
        #expect(try SignatureTemplate(file: read.file()) == read, "it stays so")
        try read.addSitting((21...23).map { try client.signature($0) }, time: 9 * Self.day)
        #expect(!read.needsVisit && read.confirmed == read.references)
    }

    /// The file of a template as version 0.3 wrote it.
    private static func version03(_ template: SignatureTemplate) throws -> Bytes {
        let json = try JSON.parse(template.file(), maximumLength: SignatureTemplate.maximumLength)
        var members: [(String, JSON)] = [("format", .text("countersign-signature-template-1"))]
        members.append(("references", try #require(json["references"])))
        members.append(
            (
                "traces",
                .array(
                    try template.references.map { reference in
                        .array(try MovementTrace(reference.capture).values.prefix(128).map { .integer(Int64($0)) })
                    })
            ))
        return JSON.members(members).serialized()
    }

    /// The seed of another person's hand.
    private static let stranger: UInt64 = 2
}
