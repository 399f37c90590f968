import BrowserCalls
import Encodings
import Vault

extension VaultBrowser {
    /// What is printed, and typed again.
    static let recovery = [
        Function("words", ["key"], words),
        Function("words_key", [], blobs: 1...1, wordsKey),
        Function("shares", ["secret", "random"], shares),
        Function("shares_secret", [], blobs: 2...2, sharesSecret),
        Function("name", [], blobs: 1...1, name),
    ]

    /// `{key}` → `{words}`.
    private static func words(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("words", .string(RecoveryWords.text(of: try call.secret("key"), suite: PageSuite(random: []))))])
    }

    /// What somebody typed as a blob → `{key}`.
    private static func wordsKey(_ call: Call) throws(BrowserError) -> Answer {
        do throws(VaultError) {
            let key = try RecoveryWords.key(of: call.blobs[0], suite: PageSuite(random: []))
            return Answer([("key", .base64URL(key.bytes))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{secret, random}`, with 36 random bytes → `{shares}`, three texts.
    private static func shares(_ call: Call) throws(BrowserError) -> Answer {
        let secret = try call.secret("secret")
        let suite = try PageSuite(call)
        do throws(VaultError) {
            let shares = try RecoveryShare.split(secret, suite: suite)
            return Answer([("shares", .array(shares.map { .string($0.text(suite)) }))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// Two shares as they were typed, each a blob → `{secret}`.
    private static func sharesSecret(_ call: Call) throws(BrowserError) -> Answer {
        let suite = PageSuite(random: [])
        do throws(VaultError) {
            let first = try RecoveryShare(call.blobs[0], suite: suite)
            let second = try RecoveryShare(call.blobs[1], suite: suite)
            return Answer([("secret", .base64URL(try RecoveryShare.combine(first, second).bytes))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// The name of a file as a blob, whatever it is → `{name}`, one that a node may have.
    private static func name(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("name", .string(NodeName.cleaned(call.blobs[0]).bytes))])
    }
}
