import Encodings
import Testing
import Verification

/// A transaction's life, and the record of its end.
@Suite("Transactions signed by hand")
struct SigningLifecycleTests {
    private static let (she, another) = (Bytes(text: "she"), Bytes(text: "another"))
    private static let template = Bytes(text: "t1")

    private static func life(_ state: SigningLifecycle.State = .pending) -> SigningLifecycle {
        SigningLifecycle(state: state, operatorID: she, template: template, signed: 1_000)
    }

    @Test("what does not match or was seen before is refused at once; a recording is called that")
    func opened() {
        #expect(SigningLifecycle.refusal(isMatch: true, isRecording: false) == nil)
        #expect(SigningLifecycle.refusal(isMatch: false, isRecording: false) == .comparison)
        #expect(SigningLifecycle.refusal(isMatch: true, isRecording: true) == .recording)
        #expect(SigningLifecycle.refusal(isMatch: false, isRecording: true) == .recording)
    }

    @Test("only its operator decides, once, in time, and under the template that was compared with")
    func decided() throws {
        var life = Self.life()
        try life.confirm(by: Self.she, under: Self.template, now: 1_900, within: 900)
        #expect(life.state == .confirmed)
        life = Self.life()
        try life.refuse(by: Self.she, now: 1_900, within: 900)
        #expect(life.state == .refused)

        func error(
            _ state: SigningLifecycle.State, by operatorID: Bytes, under template: Bytes?, at now: Int64
        ) -> SigningError? {
            var life = Self.life(state)
            do {
                try life.confirm(by: operatorID, under: template, now: now, within: 900)
                return nil
            } catch {
                #expect(life.state == state)
                return error
            }
        }
        #expect(error(.pending, by: Self.another, under: Self.template, at: 1_000) == .notYours)
        #expect(error(.pending, by: Self.she, under: Self.template, at: 1_901) == .lapsed)
        #expect(error(.pending, by: Self.she, under: Bytes(text: "t2"), at: 1_000) == .otherTemplate)
        #expect(error(.pending, by: Self.she, under: nil, at: 1_000) == .otherTemplate)
        #expect(error(.confirmed, by: Self.she, under: Self.template, at: 1_000) == .alreadyDecided)
        #expect(error(.refused, by: Self.she, under: Self.template, at: 1_000) == .alreadyDecided)
        life = Self.life()
        #expect(throws: SigningError.notYours) { try life.refuse(by: Self.another, now: 1_000, within: 900) }
        #expect(throws: SigningError.lapsed) { try life.refuse(by: Self.she, now: 1_901, within: 900) }
    }

    @Test("the organisation refuses what is pending, and nothing else")
    func ended() throws {
        var life = Self.life()
        try life.end()
        #expect(life.state == .refused)
        for state in [SigningLifecycle.State.confirmed, .refused] {
            var decided = Self.life(state)
            #expect(throws: SigningError.alreadyDecided) { try decided.end() }
        }
    }

    @Test("its record has the members that are documented, in canonical form")
    func record() throws {
        let record = SigningRecord(
            transaction: Bytes(text: "x"), publicURL: Bytes(text: "https://bank.example"), signed: 1_000,
            client: .init(
                id: Bytes(text: "c"), givenName: Bytes(text: "Ada"), familyName: Bytes(text: "Muster"),
                number: Bytes(text: "123")),
            before: .init(id: Self.she, name: Bytes(text: "Olga"), username: Bytes(text: "olga")),
            document: .init(
                name: Bytes(text: "Loan"), mediaType: Bytes(text: "text/plain"), digest: Bytes(text: "dd"), version: 2),
            field: Bytes(text: "Below"), device: Bytes(text: "pad"),
            comparison: .init(isMatch: true, score: 1, threshold: 2, difference: -1, device: .null),
            basis: .init(
                method: Bytes(text: "m"), model: Bytes(text: "mm"), rates: Bytes(text: "rr"), template: Self.template,
                enrolled: 900, enrolment: .members([("paper", .text("passport"))])),
            traces: .init(drawing: Bytes(text: "a"), movement: Bytes(text: "b"), photograph: nil, place: nil))
        let decided = record.decided(.refused, reason: Bytes(text: "not she"), at: 1_100)
        let expected = """
            {"client":{"family_name":"Muster","given_name":"Ada","id":"c","number":"123"},"comparison":{"device":null,\
            "difference":-1,"is_match":true,"score":1,"threshold":2,"unit":"millionth"},"decided_at":1100,\
            "decision":"refused","device":"pad","document":{"media_type":"text/plain","name":"Loan","sha256":"dd",\
            "version":2},"drawing":"a","enrolment":{"paper":"passport"},"field":"Below","identified":true,"method":"m",\
            "model":"mm","movement":"b","operator":{"id":"she","name":"Olga","username":"olga"},\
            "public_url":"https://bank.example","rates":"rr","reason":"not she","signed_at":1000,\
            "template":{"enrolled":900,"id":"t1"},"transaction":"x"}
            """
        #expect(String(decoding: try decided.canonical(), as: UTF8.self) == expected)
        let again = SigningRecord(facts: record.facts)
        #expect(again.template == Self.template && again.digest == Bytes(text: "dd"))
        #expect(again.field == Bytes(text: "Below") && again.method == Bytes(text: "m"))
    }
}
