import Encodings
import Wallet

/// What a PAM module wants of a helper: frames that each say one thing, and at the end the verb.
struct PamRequest: Equatable {
    /// What is to be done.
    enum Verb: UInt8 {
        /// Sign a user in.
        case authenticate = 0x41
        /// A session has begun.
        case open = 0x4F
        /// It has ended.
        case close = 0x58
        /// Another helper, which has let the same user in, goes on with the session.
        case handOver = 0x54
        /// Look whether the wallet is still paired.
        case recheck = 0x56
        /// The end of an answer.
        case result = 0x52
    }

    /// How the user is to be signed in.
    enum Mode: String {
        /// The code comes with a question.
        case prompt
        /// The wallet does not stay.
        case once
        /// A lost session goes on.
        case resume
    }

    /// The most frames before the verb, and the longest value.
    private static let (mostFrames, longestValue) = (12, 255)

    var verb = Verb.result
    var user: Bytes = []
    var service: Bytes?
    var terminal: Bytes?
    var host: Bytes?
    /// The session of logind.
    var session: String?
    /// The process that has opened the session.
    var process: Int32?
    var modes: Set<Mode> = []
    /// What the verb's frame says: the answer of a helper.
    var word: Bytes = []

    /// Reads one.
    ///
    /// - Parameter next: the next bytes, so many; `nil` when there are no more.
    /// - Returns: `nil` for anything that no module says.
    init?(next: (Int) -> Bytes?) {
        var seen: Set<UInt8> = []
        for _ in 0...Self.mostFrames {
            guard let head = next(3) else { return nil }
            let length = Int(head[1]) << 8 | Int(head[2])
            guard length <= Self.longestValue, let body = next(length), !body.contains(0) else { return nil }
            if let verb = Verb(rawValue: head[0]) {
                self.verb = verb
                word = body
                return
            }
            // Each thing is said once; only modes are several.
            guard seen.insert(head[0]).inserted || head[0] == 0x6D, set(head[0], body) else { return nil }
        }
        return nil
    }

    private mutating func set(_ kind: UInt8, _ body: Bytes) -> Bool {
        switch kind {
        case 0x75: user = body
        case 0x73: service = body
        case 0x74: terminal = body
        case 0x68: host = body
        case 0x78: session = Self.isSession(body) ? body.text : nil
        case 0x70:
            guard let number = parseDecimal(body), (1...Int64(Int32.max)).contains(Int64(number)) else { return false }
            process = Int32(number)
        case 0x6D:
            guard let mode = Mode(rawValue: body.text) else { return false }
            modes.insert(mode)
        default: return false
        }
        return true
    }

    /// Whether logind could have given a session this name.
    ///
    /// It goes to the programs that lock, so nothing else may be in it.
    private static func isSession(_ name: Bytes) -> Bool {
        (1...64).contains(name.count)
            && name.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
    }
}
