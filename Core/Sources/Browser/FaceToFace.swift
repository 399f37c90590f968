import BrowserCalls
import Documents
import EllipticCurves
import Encodings

extension Browser {
    /// The face-to-face check, on both sides.
    static let faceToFace = [
        Function("digits", ["holder_key", "encryption_key", "holder_nonce", "administrator_nonce"], digits),
        Function(
            "enrolment_code", ["server", "enrolment", "key", "encryption_key", "commitment"], writeEnrolmentCode),
        Function("read_enrolment_code", ["text"], readEnrolmentCode),
        Function("check_answer", ["code", "enrolment", "nonce", "server"], checkAnswer),
    ]

    /// `{holder_key, encryption_key, holder_nonce, administrator_nonce}` → `{digits}`; keys are thumbprints.
    private static func digits(_ call: Call) throws(BrowserError) -> Answer {
        let digits = EnrolmentDigits.digits(
            holderKey: try call.bytes("holder_key", count: 32),
            encryptionKey: try call.bytes("encryption_key", count: 32),
            holderNonce: try call.bytes("holder_nonce", count: 32),
            administratorNonce: try call.bytes("administrator_nonce", count: 32))
        return Answer([("digits", .string(digits))])
    }

    /// `{server, enrolment, key, encryption_key, commitment}` → `{text, link}`; keys are thumbprints.
    private static func writeEnrolmentCode(_ call: Call) throws(BrowserError) -> Answer {
        let code = EnrolmentCode(
            server: try call.text("server", maximum: 255), enrolment: try call.text("enrolment", maximum: 64),
            signingKey: try call.bytes("key", count: 32), encryptionKey: try call.bytes("encryption_key", count: 32),
            commitment: try call.bytes("commitment", count: 32))
        return Answer([("text", .string(code.text)), ("link", .string(code.link))])
    }

    /// `{text}`, bare or as link → the members of the code.
    private static func readEnrolmentCode(_ call: Call) throws(BrowserError) -> Answer {
        let code = try enrolmentCode(call.text("text"))
        return Answer([
            ("server", .string(code.server)), ("enrolment", .string(code.enrolment)),
            ("key", .base64URL(code.signingKey)), ("encryption_key", .base64URL(code.encryptionKey)),
            ("commitment", .base64URL(code.commitment)),
        ])
    }

    private static func enrolmentCode(_ text: Bytes) throws(BrowserError) -> EnrolmentCode {
        do {
            return try EnrolmentCode.parse(text)
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{code, enrolment, nonce, server}` → `{digits, signing_key, encryption_key, statement_digest}`: the answer of
    /// the holder's device is what their code promised.
    private static func checkAnswer(_ call: Call) throws(BrowserError) -> Answer {
        let code = try enrolmentCode(call.text("code"))
        guard let shown = ShownEnrolment(json: try call.value("enrolment")) else {
            throw BrowserError("wrong_type", member: "enrolment", "is not a check as the server shows it.")
        }
        let (server, nonce) = (try call.text("server"), try call.bytes("nonce", count: 32))
        do {
            let check = try EnrolmentCheck(code: code, server: server, nonce: nonce)
            let answer = try check.accept(shown, suite: PureSuite())
            return Answer([
                ("digits", .string(answer.digits)), ("signing_key", .base64URL(answer.signingKey.x963)),
                ("encryption_key", .base64URL(answer.encryptionKey.x963)),
                ("statement_digest", .base64URL(answer.statementDigest)),
            ])
        } catch {
            throw BrowserError(error)
        }
    }
}

extension BrowserError {
    init(_ error: CodeError) {
        switch error {
        case .tooLong: self.init("too_large", "The code is too long.")
        case .unknownForm: self.init("not_a_code", "This is not such a code or link.")
        case .malformed: self.init("code_malformed", "A character of the code is wrong or missing.")
        case .unexpectedPart: self.init("code_malformed", "A part of the code is missing or of another length.")
        case .otherServer: self.init("other_server", "The code is for another server.")
        }
    }

    fileprivate init(_ error: EnrolmentCheckError) {
        switch error {
        case .otherServer: self.init("other_server", "The code is for another server.")
        case .differsFromCode:
            self.init("differs_from_code", "The server shows other keys or another number than the holder's code.")
        case .notAnswered: self.init("not_answered", "The holder's device has not answered yet.")
        case .wrongNonce:
            self.init("wrong_nonce", "The holder's number is not the one that the code committed to.")
        case .notSigned(let error): self.init(error)
        case .otherStatement: self.init("other_statement", "The holder's device has signed something else.")
        }
    }
}
