import BrowserCalls
import EllipticCurves
import Encodings
import Pico

extension PicoBrowser {
    /// Reading what was scanned.
    static let codes = [
        Function("code", ["old"], blobs: 1...1, readCode)
    ]

    /// The text of a code as a blob → `{type, decision, reason, …}`.
    ///
    /// `decision` is `run`, or `decline` with a `reason`. What a page may run has `scheme`, `host`, `port`, `channel` and
    /// the `commitment` of the service with its `fingerprint`, and a pairing code also its `name` and its `curve`.
    ///
    /// A pairing code on another curve than P-256 is declined as `old-curve`, unless the page says `{old: true}`: then it
    /// asks the person whether the service is an old one before it runs anything.
    private static func readCode(_ call: Call) throws(BrowserError) -> Answer {
        let curves: PicoCurves = try call.flag("old") ? .old : .current
        do throws(PicoError) {
            let code = try PicoCode.read(
                call.blobs[0], curves: curves, accepting: PicoAddress.Scheme.allCases, suite: CheckingSuite())
            return answer(to: code)
        } catch .unsupportedCurve {
            return decline("KP", "old-curve")
        } catch {
            throw BrowserError(error)
        }
    }

    private static func answer(to code: PicoCode) -> Answer {
        switch code {
        case .pairing(let pairing):
            let commitment = PicoCommitment(of: pairing.publicKey, suite: CheckingSuite())
            return run("KP", pairing.address, commitment, name: pairing.name, curve: pairing.publicKey.curve)
        case .authentication(let authentication):
            return run("KA", authentication.address, authentication.service, name: nil, curve: nil)
        case .lensPairing: return decline("LP", "replays-passwords")
        case .lensAuthentication: return decline("LA", "replays-passwords")
        case .terminalPairing: return decline("TP", "serves-passwords")
        case .delegation: return decline("DP", "serves-passwords")
        }
    }

    private static func run(
        _ type: StaticString, _ address: PicoAddress, _ commitment: PicoCommitment, name: Bytes?, curve: EllipticCurve?
    ) -> Answer {
        let scheme: StaticString
        switch address.scheme {
        case .https: scheme = "https"
        case .http: scheme = "http"
        case .bluetooth: return decline(type, "bluetooth")
        case .tcp: return decline(type, "tcp")
        }
        return Answer([
            ("type", .literal(type)), ("decision", .literal("run")), ("scheme", .literal(scheme)),
            ("host", .string(address.host)), ("port", address.port.map { .integer(Int64($0)) } ?? .null),
            ("channel", .string(address.channel)), ("name", name.map { .string($0) } ?? .null),
            ("commitment", .base64URL(commitment.bytes)), ("fingerprint", .string(commitment.fingerprint)),
            ("curve", curve.map { .literal($0.pageName) } ?? .null),
        ])
    }

    private static func decline(_ type: StaticString, _ reason: StaticString) -> Answer {
        Answer([("type", .literal(type)), ("decision", .literal("decline")), ("reason", .literal(reason))])
    }
}
