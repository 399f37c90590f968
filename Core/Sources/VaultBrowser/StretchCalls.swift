import BrowserCalls
import Encodings
import Vault

extension VaultBrowser {
    /// Argon2id for what a person types and no guard watches over.
    static let stretching = [
        Function("stretch", ["salt", "memory", "passes", "lanes"], blobs: 1...1, stretch)
    ]

    /// What was typed as a blob, with salt and costs → `{key}`, 32 bytes.
    ///
    /// The caller says which costs are acceptable; here they are bounded: 1 GiB, 16 passes, 16 lanes.
    private static func stretch(_ call: Call) throws(BrowserError) -> Answer {
        let salt = try call.bytes("salt")
        let (memory, passes, lanes) = (try call.number("memory"), try call.number("passes"), try call.number("lanes"))
        do throws(VaultError) {
            guard memory <= 1 << 20, passes <= 16, lanes <= 16 else { throw .outOfRange }
            let argon2 = try Argon2id(memory: Int(memory), passes: Int(passes), lanes: Int(lanes))
            return Answer([("key", .base64URL(try argon2.hash(call.blobs[0], salt: salt)))])
        } catch {
            throw BrowserError(error)
        }
    }
}
