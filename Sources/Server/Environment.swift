import CryptoProvider
import Encodings
import Interface
import Passkeys
package import Storage
import Workers

/// What every service needs, made once at start.
package struct Environment: Sendable {
    /// Fixed at set-up: relying-party id, issuer name, audience of every statement.
    package let publicURL: String
    /// The one database.
    package let database: any Database
    let blobs: any BlobStore
    /// The data directory: for those few files that neither database nor blobs may hold.
    let directory: String
    /// The keys of the slice that has this: of what is no slice's, all.
    private(set) var keys: SliceKeys
    /// All keys, for those commands and services that change them.
    let serverKeys: ServerKeys
    /// The log's one writer.
    package let log: TransparencyLog
    let statusLists: StatusLists
    let passphrases: Argon2Workers
    /// Threads for what keeps a processor for long.
    var work: BlockingWork { passphrases.work }
    /// The makers whose word about authenticators' hardware is believed.
    let attestationRoots: [TrustedAttestationRoot]
    let events: EventHub
    let clock: ServerClock
    let random: RandomSource
    /// The way to other servers, for requests that a person caused.
    var egress = Egress(isOn: false)
    /// How e-mail leaves; `nil` when the operator has set none.
    var mail: Mailer?
    /// How SMS leave; `nil` when the operator has set no way.
    var sms: SMSOffice?
    /// Wakes the delivery of notices.
    let bell = NotificationBell()
    /// The catalogues of all languages, English first: for what the server itself writes for people and is no page.
    var catalogues: @Sendable () throws -> [WordCatalogue] = { [.english] }
    let suite = SwiftCryptoSuite()
    /// The parts that the server has.
    let slices: [Slice]
    /// The one-time code of set-up; nobody is told it once the organisation exists.
    package let setUpCode: String

    /// The environment that a slice gets: the same with its own keys.
    func with(keys: [ServerKey]) -> Environment {
        var environment = self
        environment.keys = SliceKeys(serverKeys, own: keys)
        return environment
    }

    func now() -> Int64 { clock.now() }

    /// A random identifier: 16 bytes, hexadecimal.
    func newIdentifier() -> String { String(decoding: Hex.encode(random.bytes(16)), as: UTF8.self) }

    /// Random bytes as base64url.
    func randomText(_ count: Int) -> String { random.bytes(count).base64URL }

    /// A random code for people, in groups of four characters that nobody mixes up.
    func humanCode(groups: Int) -> String {
        var random = random
        return HumanCode.random(groups: groups, using: &random)
    }

    /// The stored form of a code, as it was made or as a person typed it.
    ///
    /// Without the server's secret, a reader of the database cannot try codes.
    ///
    /// `purpose` keeps the codes of one link from opening another.
    func codeHash(_ code: String, purpose: String) -> String {
        let code = HumanCode.normalised(code) ?? Bytes(text: code)
        return HMACSHA256.authenticate(Bytes(text: purpose) + [0] + code, key: serverKeys.secret(.codeSecret)).base64URL
    }

    /// The stored form of a session token.
    static func tokenHash(_ token: String) -> String {
        SwiftCryptoSuite().sha256(Bytes(text: token)).base64URL
    }

    /// SHA-256 of decoded base64url, as base64url; of nothing when the text is not base64url.
    func digest(ofBase64URL text: String) -> String {
        suite.sha256(Base64.decode(Bytes(text: text), .url) ?? []).base64URL
    }

    func storedOrganisation() async throws -> OrganisationStore.Stored? {
        try await database.read { try OrganisationStore(transaction: $0).find() }
    }

    /// The organisation, once it is set up.
    func organisation() async throws -> OrganisationStore.Stored {
        guard let organisation = try await storedOrganisation() else { throw AccountError.notSetUp }
        return organisation
    }

    /// Tells an account's listeners, or everybody concerned with administration when `account` is `nil`.
    func publish(_ event: LiveEvent, to account: String?) {
        if let account {
            events.publish(event, to: .accounts([account]))
        } else {
            publish(event, toEveryoneWho: .readRequests)
        }
    }

    func publish(_ event: LiveEvent, toEveryoneWho permission: Permission) {
        events.publish(event, to: .permission(permission))
    }
}

extension Role {
    /// Whether accounts of this role have the permission.
    func may(_ permission: Permission) -> Bool { permission.isGranted(to: self) }
}

extension Array where Element == UInt8 {
    /// The bytes as base64url text.
    var base64URL: String { String(decoding: Base64.encode(self, .url), as: UTF8.self) }
}
