import Encodings
import Interface
import Pico
import Synchronization

/// Takes a page's requests to channels of other servers: a page reaches its own server alone (DESIGN section 9).
///
/// What goes through is sealed for the wallet and the service. This server learns which server is asked, when, and how much
/// is said there.
struct PicoRelay: Sendable {
    let office: PicoOffice

    /// Reads from a channel elsewhere, or writes to it; either waits for the other side.
    ///
    /// - Throws: `Problem` `invalid-member` for what is no address of a channel elsewhere, `too-many-requests`, `not-found`.
    func ask(_ request: PicoRelayRequest, _ call: Call, _ principal: Principal) async throws -> PicoRelayAnswer {
        guard let address = Self.channel(request.address) else {
            throw Problem(.invalidMember, "'address' must be like https://example.edu/channel/NAME.")
        }
        var message: Bytes?
        if let text = request.message {
            guard let bytes = Base64.decode(Bytes(text: text), .url), !bytes.isEmpty else {
                throw Problem(.invalidMember, "'message' must be base64url, and not empty.")
            }
            message = bytes
        }
        try office.relays.enter(principal.account)
        defer { office.relays.leave(principal.account) }
        let egress = office.environment.egress
        let answer = try await office.forClient(call) { [message] in
            do throws(Egress.Failure) {
                return try await egress.ask(ChannelRequest(message: message), at: address)
            } catch {
                throw Problem(error, rendezvous: address.host)
            }
        }
        guard let answer else { return PicoRelayAnswer(outcome: .timedOut) }
        return try Self.read(answer, of: address.host)
    }

    private static func read(_ answer: ChannelAnswer, of host: String) throws(Problem) -> PicoRelayAnswer {
        // It has too much to do, as ours says it too.
        if answer.status == 429 || answer.status == 503 { throw Problem(.busy) }
        do {
            switch try RendezvousAnswer.read(
                statusCode: answer.status, contentType: Bytes(text: answer.mediaType), body: answer.body)
            {
            case .data(let bytes):
                return PicoRelayAnswer(
                    outcome: .message, message: String(decoding: Base64.encode(bytes, .url), as: UTF8.self))
            case .taken: return PicoRelayAnswer(outcome: .taken)
            case .closed: return PicoRelayAnswer(outcome: .closed)
            case .timedOut: return PicoRelayAnswer(outcome: .timedOut)
            case .busy: return PicoRelayAnswer(outcome: .occupied)
            case .tooLarge: throw PicoError.tooLarge
            }
        } catch {
            throw Problem(.notFound, "\(host) does not answer as a rendezvous. Is the code of a sign-in page?")
        }
    }

    /// An address of a channel on a server with a name.
    private static func channel(_ text: String) -> EgressAddress? {
        // The port of another protocol: a message could be words of that, such as mail.
        guard let address = try? PicoAddress.parse(Bytes(text: text), accepting: .rendezvous),
            address.port.map({ $0 >= 1_024 || $0 == 80 || $0 == 443 }) ?? true
        else { return nil }
        // The protocol trusts no channel, so plain http is no weaker.
        return EgressAddress(text, allowsPrivate: false, allowsPlain: true)
    }
}

/// How many requests wait elsewhere, of each account and together: each takes a connection for almost a minute.
final class PicoRelayPlaces: Sendable {
    private let waiting = Mutex<(ofAccount: [String: Int], all: Int)>(([:], 0))

    /// - Throws: `Problem` `too-many-requests`.
    func enter(_ account: String) throws(Problem) {
        let isFree = waiting.withLock { waiting in
            guard waiting.all < Limits.picoRelays,
                waiting.ofAccount[account, default: 0] < Limits.picoRelaysOfAccount
            else { return false }
            waiting.ofAccount[account, default: 0] += 1
            waiting.all += 1
            return true
        }
        guard isFree else {
            throw Problem(.tooManyRequests, "Too many requests wait elsewhere.", retryAfter: Limits.channelPause)
        }
    }

    func leave(_ account: String) {
        waiting.withLock { waiting in
            let left = waiting.ofAccount[account, default: 1] - 1
            waiting.ofAccount[account] = left > 0 ? left : nil
            waiting.all -= 1
        }
    }
}

extension Problem {
    /// Why nobody at another rendezvous was asked, or why it did not answer.
    fileprivate init(_ failure: Egress.Failure, rendezvous host: String) {
        self =
            switch failure {
            case .off: Problem(.notFound, "This server asks nothing elsewhere. Use countersign wallet scan.")
            case .busy: Problem(.busy)
            case .unknownName, .notPublic: Problem(.notFound, "There is no public server of the name \(host).")
            case .unreachable, .refused, .tooLong:
                Problem(.notFound, "\(host) does not answer. Let it show a new code, and scan again.")
            }
    }
}
