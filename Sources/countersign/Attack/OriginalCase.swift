/// The 25 attacks that the original was tried with, by their numbers in docs/approvals.md.
enum OriginalCase: Int, CaseIterable, Sendable {
    case valid = 1
    case signatures
    case fields
    case device
    case swapped
    case repeated
    case late
    case after
    case ended
    case used
    case stranger
    case lateEnrolment
    case kinds
    case echo
    case path
    case union
    case timed
    case malformed
    case token
    case twice
    case session
    case forged
    case lines
    case unasked
    case unsigned

    var id: String { "\(rawValue)" }

    /// What is tried.
    var name: String {
        switch self {
        case .valid: "a valid enrolment and a valid reply"
        case .signatures: "a flipped bit, another digest, the hash of a hash, other bytes"
        case .fields: "a reply to other words: each field altered"
        case .device: "another device's signature, with its key or the right one"
        case .swapped: "the signature of one challenge sent for another"
        case .repeated: "the same reply three times"
        case .late: "a reply after the time"
        case .after: "a bad reply after a good one"
        case .ended: "approve after the request was ended"
        case .used: "a second device answers a used enrolment"
        case .stranger: "a stranger answers an open enrolment first"
        case .lateEnrolment: "an enrolment after the time"
        case .kinds: "keys of other kinds: RSA-1024, RSA-2048, P-384, P-521"
        case .echo: "the server's own key, and its own signature"
        case .path: "a path instead of a key"
        case .union: "SQL in message_id that swaps in the sender's key"
        case .timed: "SQL in message_id that waits"
        case .malformed: "what is no JSON, and no reply"
        case .token: "a new token in a reply"
        case .twice: "one key enrolled twice, with another token"
        case .session: "mallory's own approval, used for alice"
        case .forged: "forging with all bytes of a pending challenge"
        case .lines: "a line feed in a user's text"
        case .unasked: "a session enrols an app, and nobody is asked"
        case .unsigned: "an unsigned challenge counts as signed"
        }
    }
}

extension AttackFinding {
    /// Tries a case of the original.
    static func trying(
        _ original: OriginalCase, _ attack: () async throws -> AttackVerdict
    ) async -> AttackFinding {
        await trying(original.id, original.name, attack)
    }

    /// A case of the original that was not tried, or not to its end.
    init(_ original: OriginalCase, _ result: Result, _ detail: String) {
        self.init(id: original.id, name: original.name, result: result, detail: detail)
    }

    /// The cases that need version 1, where the service does not speak it.
    static var withoutOriginal: [AttackFinding] {
        // Anybody can send what is no reply, and the server has to refuse it.
        OriginalCase.allCases.filter { $0 != .malformed }
            .map { AttackFinding($0, .notOffered, AttackTrouble.originalOff.words) }
    }
}
