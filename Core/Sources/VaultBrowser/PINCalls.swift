import BrowserCalls
import EllipticCurves
import Encodings
import Vault

extension VaultBrowser {
    /// A PIN and the guard.
    static let pins = [
        Function("pin_refusal", [], blobs: 1...1, refusal),
        Function("pin_input", ["salt", "memory", "passes", "lanes"], blobs: 1...1, input),
        Function("pin_blind", ["input", "salt", "random"], blind),
        Function("pin_value", ["input", "salt", "random", "evaluated", "proof", "public_key"], value),
        Function("pin_verifier", ["input", "scalar", "reset_key"], verifier),
        Function("pin_proofs", ["input", "salt", "random", "opened", "reset_keys", "try", "more_random"], proofs),
    ]

    /// A PIN as a blob → `{refusal}`: null, `not_digits`, `too_short`, `too_long` or `too_common`.
    private static func refusal(_ call: Call) throws(BrowserError) -> Answer {
        let name: JSON =
            switch PINRules.refusal(of: call.blobs[0]) {
            case nil: .null
            case .notDigits: .literal("not_digits")
            case .tooShort: .literal("too_short")
            case .tooLong: .literal("too_long")
            case .tooCommon: .literal("too_common")
            }
        return Answer([("refusal", name)])
    }

    /// A PIN as a blob, with the account's salt → `{input}`; memory, passes and lanes are given in tests alone.
    private static func input(_ call: Call) throws(BrowserError) -> Answer {
        let salt = try call.bytes("salt")
        let memory = try call.optionalNumber("memory") ?? Int64(Argon2id.pin.memory)
        let passes = try call.optionalNumber("passes") ?? Int64(Argon2id.pin.passes)
        let lanes = try call.optionalNumber("lanes") ?? Int64(Argon2id.pin.lanes)
        do throws(VaultError) {
            guard memory <= 1 << 20, passes <= 64, lanes <= 16 else { throw .outOfRange }
            let stretching = try Argon2id(memory: Int(memory), passes: Int(passes), lanes: Int(lanes))
            return Answer([("input", .base64URL(try stretching.hash(call.blobs[0], salt: salt)))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{input, salt, random}`, where `random` has 48 bytes that are kept for this try → `{blinded}`.
    private static func blind(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("blinded", .base64URL(try attempt(call).blindedElement))])
    }

    /// The guard's answer for one slot → `{value}`, or `cannot_open` if the guard used another key.
    private static func value(_ call: Call) throws(BrowserError) -> Answer {
        let attempt = try attempt(call)
        let evaluation = PINAttempt.Evaluation(
            element: try call.bytes("evaluated", count: ObliviousFunction.element),
            proof: try call.bytes("proof", count: ObliviousFunction.proof))
        let publicKey = try call.bytes("public_key", count: ObliviousFunction.element)
        do throws(VaultError) {
            return Answer([("value", .base64URL(try attempt.value(evaluation, publicKey: publicKey)))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// What the guard keeps of a new slot: `{input, scalar, reset_key}` → `{verifier}`.
    ///
    /// For an unused slot input and scalar are random.
    private static func verifier(_ call: Call) throws(BrowserError) -> Answer {
        let input = try call.secret("input")
        let scalar = try call.bytes("scalar", count: ObliviousFunction.scalar)
        let resetKey = try call.secret("reset_key")
        do throws(VaultError) {
            let verifier = try PINVerifier(
                input: input, scalar: scalar, resetKey: resetKey, suite: PageSuite(random: []))
            return Answer([("verifier", .base64URL(verifier.bytes))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// The proofs of a try → `{proofs}`.
    ///
    /// `opened` has for each slot its plaintext or null, `reset_keys` the owner's or null, `more_random` 600 bytes.
    private static func proofs(_ call: Call) throws(BrowserError) -> Answer {
        let attempt = try attempt(call)
        let tryID = try call.bytes("try", count: PINGuard.idByteCount)
        let suite = PageSuite(random: try call.bytes("more_random"))
        let opened = try fourBytes(call, "opened")
        let resetKeys = try fourBytes(call, "reset_keys")
        do throws(VaultError) {
            var contents: [PINContents?] = []
            for bytes in opened {
                try contents.append(bytes.map { bytes throws(VaultError) in try PINContents(bytes) })
            }
            var keys: [VaultSecret?] = []
            for bytes in resetKeys {
                try keys.append(bytes.map { bytes throws(VaultError) in try VaultSecret(bytes) })
            }
            let proofs = try attempt.proofs(contents, resetKeys: keys, tryID: tryID, suite: suite)
            return Answer([("proofs", .array(proofs.map { .base64URL($0.bytes) }))])
        } catch {
            throw BrowserError(error)
        }
    }

    private static func attempt(_ call: Call) throws(BrowserError) -> PINAttempt {
        let input = try call.secret("input")
        let salt = try call.bytes("salt", count: VaultAccount.saltByteCount)
        let suite = try PageSuite(call)
        do throws(VaultError) {
            return try PINAttempt(input, of: VaultAccount(salt: salt), suite: suite)
        } catch {
            throw BrowserError(error)
        }
    }

    private static func fourBytes(_ call: Call, _ name: StaticString) throws(BrowserError) -> [Bytes?] {
        let elements = try call.array(name, maximumCount: PINSlot.count)
        guard elements.count == PINSlot.count else {
            throw BrowserError("wrong_length", member: name, "has not four elements.")
        }
        var result: [Bytes?] = []
        for element in elements {
            guard element != .null else {
                result.append(nil)
                continue
            }
            guard let text = element.string, text.count <= 1_024, let bytes = Base64.decode(text, .url) else {
                throw BrowserError("bad_base64url", member: name, "is not base64url.")
            }
            result.append(bytes)
        }
        return result
    }
}
