import BrowserCalls
import EllipticCurves
import Encodings
import Pico

extension PicoBrowser {
    /// The backup of a page's accounts: the same file as the command line's.
    ///
    /// Argon2id is in another module (`VaultBrowser`), AES-256-GCM and the random bytes are WebCrypto's.
    static let backups = [
        Function("backup_phrase", ["random"], phrase),
        Function("backup_typed", [], blobs: 1...1, typed),
        Function("backup_begin", ["salt"], begin),
        Function("backup_plain", [], blobs: 1...1, plain),
        Function("backup_file", ["salt"], blobs: 1...1, file),
        Function("backup_read", [], blobs: 1...1, read),
        Function("backup_contents", [], blobs: 1...1, contents),
    ]

    /// What every box of a secret at rest begins its additional data with.
    private static let box: StaticString = "countersign secret box v1\n"

    /// `{random}`, 24 bytes → `{phrase}`.
    private static func phrase(_ call: Call) throws(BrowserError) -> Answer {
        let random = try call.bytes("random", count: AccountBackupFile.phraseLength)
        do throws(PicoError) {
            return Answer([("phrase", .string(try AccountBackupFile.phrase(of: random)))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// What somebody typed as a blob → `{password}` for Argon2id, or null for what is no phrase.
    private static func typed(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("password", AccountBackupFile.password(of: call.blobs[0]).map { .string($0) } ?? .null)])
    }

    /// `{salt}` → `{memory, passes, lanes, salt, additional}` of a new file.
    private static func begin(_ call: Call) throws(BrowserError) -> Answer {
        Answer(members(of: try recommended(call)))
    }

    /// Accounts as a blob, in the form that a backup has → a blob to seal.
    private static func plain(_ call: Call) throws(BrowserError) -> Answer {
        do throws(PicoError) {
            return Answer(blobs: [try BackedUpAccount.encoded(BackedUpAccount.parse(call.blobs[0]))])
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{salt}` with what WebCrypto sealed as a blob, its nonce first → the file as a blob.
    private static func file(_ call: Call) throws(BrowserError) -> Answer {
        let derivation = try recommended(call)
        do throws(PicoError) {
            return Answer(blobs: [try AccountBackupFile(derivation: derivation, sealed: call.blobs[0]).encoded])
        } catch {
            throw BrowserError(error)
        }
    }

    /// A file as a blob → `{memory, passes, lanes, salt, additional}` and what is sealed as a blob, its nonce first.
    ///
    /// Refused are `unacceptable` derivations, and as `unsupported_version` a backup of the original's app.
    private static func read(_ call: Call) throws(BrowserError) -> Answer {
        let file: AccountBackupFile
        do throws(PicoError) { file = try AccountBackupFile(call.blobs[0]) } catch { throw BrowserError(error) }
        guard file.derivation.isAcceptable else {
            throw BrowserError("unacceptable", "The derivation is too cheap or too dear.")
        }
        return Answer(members(of: file.derivation), blobs: [file.sealed])
    }

    /// What was opened as a blob → `{accounts}`, each as in the backup, with the `fingerprint` of its service.
    ///
    /// Keys on the curves of this module come with their `publicKey`, a point. The others stay behind, and the page asks the
    /// module that has all curves.
    private static func contents(_ call: Call) throws(BrowserError) -> Answer {
        do throws(PicoError) {
            var accounts: [JSON] = []
            for account in try BackedUpAccount.parse(call.blobs[0]) {
                var members = account.members
                members.append(.init("fingerprint", .string(account.service.fingerprint)))
                if let curve = EllipticCurve.named(Bytes(account.curve.name)) {
                    guard let key = try? ECPrivateKey(curve, scalar: account.key) else { throw .invalidKey }
                    members.append(.init("publicKey", .base64URL(key.publicKey.x963)))
                } else {
                    members.removeAll { $0.name.equals("key") }
                }
                accounts.append(.object(members))
            }
            return Answer([("accounts", .array(accounts))])
        } catch {
            throw BrowserError(error)
        }
    }

    private static func recommended(_ call: Call) throws(BrowserError) -> AccountBackupFile.Derivation {
        .recommended(salt: try call.bytes("salt", count: AccountBackupFile.saltLength))
    }

    private static func members(of derivation: AccountBackupFile.Derivation) -> [(String, JSON)] {
        [
            ("memory", .integer(Int64(derivation.memory))), ("passes", .integer(Int64(derivation.passes))),
            ("lanes", .integer(Int64(derivation.lanes))), ("salt", .base64URL(derivation.salt)),
            ("additional", .base64URL(Bytes(box) + AccountBackupFile.purpose(of: derivation))),
        ]
    }
}
