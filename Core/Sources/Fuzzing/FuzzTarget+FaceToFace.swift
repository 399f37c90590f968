import Documents
import Encodings

extension FuzzTarget {
    static let faceToFace = [
        FuzzTarget("enrolment-code", maximumLength: 1100, enrolmentCode),
        FuzzTarget("pairing-code", maximumLength: 1100, pairingCode),
        FuzzTarget("enrolment-answer", maximumLength: 4096, answer),
    ]

    private static func enrolmentCode(_ input: Bytes) throws(BrokenPromise) {
        guard let code = try? EnrolmentCode.parse(input) else { return }
        try expect((try? EnrolmentCode.parse(code.text)) == code, "the bare form is read")
        try expect(input.count >= code.text.count, "nothing is made up")
    }

    private static func pairingCode(_ input: Bytes) throws(BrokenPromise) {
        guard let code = try? PairingCode.parse(input) else { return }
        try expect(code.link == input.trimmingSpace(), "one spelling for one code")
    }

    /// The holder's code, the administrator's nonce, and the check as the server shows it.
    private static func answer(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        guard let code = try? EnrolmentCode.parse(parts.next()) else { return }
        let nonce = parts.take(32)
        guard let json = try? JSON.parse(parts.rest()), let shown = ShownEnrolment(json: json),
            let check = try? EnrolmentCheck(code: code, server: code.server, nonce: nonce)
        else { return }
        try expect((try? check.accept(shown, suite: RefusingSuite())) == nil, "no answer counts unsigned")
        for suite in LenientSuite.both {
            guard let answer = try? check.accept(shown, suite: suite) else { continue }
            try expect(answer.digits.count == 6, "there are six digits")
        }
    }
}
