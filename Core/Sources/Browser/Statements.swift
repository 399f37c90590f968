import BrowserCalls
import EllipticCurves
import Encodings

extension Browser {
    /// Statements that keys sign, one type of JWS for each purpose.
    static let statements = [
        Function("jws", ["type", "payload"], jws),
        Function("jws_verify", ["jws", "type", "key"], verifyJWS),
    ]

    /// `{type, payload}` → the bytes to be signed, the payload in its canonical form.
    ///
    /// Only statements of our own are made here: credentials and presentations have their own functions, which show what
    /// is signed.
    private static func jws(_ call: Call) throws(BrowserError) -> Answer {
        let type = try statementType(call)
        let payload = JSON.object(try call.object("payload"))
        guard let canonical = try? payload.canonical() else {
            throw BrowserError("wrong_type", member: "payload", "holds a number that is not whole.")
        }
        let header = JSON.members([("alg", .literal("ES256")), ("typ", .string(type))]).serialized()
        return Answer(blobs: [Base64.encode(header, .url) + [0x2E] + Base64.encode(canonical, .url)])
    }

    /// `{jws, type, key}` → `{payload}`.
    private static func verifyJWS(_ call: Call) throws(BrowserError) -> Answer {
        let text = try call.text("jws", maximum: 1 << 14)
        let type = try statementType(call)
        let key = try call.key("key")
        do throws(JWSError) {
            let jws = try UnverifiedJWS.parse(text, maximumLength: 1 << 14)
            guard jws.header["typ"]?.string == type else { throw JWSError.wrongPurpose }
            guard PureSuite().isValidP256(jws.signature, over: jws.signingInput, publicKey: key.x963) else {
                throw JWSError.badSignature
            }
            return Answer([("payload", jws.payload)])
        } catch {
            throw BrowserError(error)
        }
    }

    /// The member `type`: `countersign-…+jwt`.
    private static func statementType(_ call: Call) throws(BrowserError) -> Bytes {
        let type = try call.text("type", maximum: 64)
        let isOurs = type.starts(with: Bytes("countersign-")) && Bytes(type.suffix(4)).equals("+jwt")
        let isPlain = type.dropLast(4).allSatisfy { $0 >= 0x61 && $0 <= 0x7A || $0 == 0x2D }
        guard isOurs, isPlain else {
            throw BrowserError("wrong_type", member: "type", "is not a type of Countersign's statements.")
        }
        return type
    }
}
