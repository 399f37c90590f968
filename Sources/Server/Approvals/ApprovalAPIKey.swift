import Encodings
import Interface
import Storage

/// What a service sends to show that it is the service: its id, and 32 random bytes that only it has.
struct ApprovalAPIKey: Sendable {
    /// The id of the service.
    let service: String
    /// The whole text.
    let text: String

    private static let prefix = "service_"

    /// A new key.
    init(service: String, random: RandomSource) {
        self.service = service
        text = "\(Self.prefix)\(service)_\(random.bytes(32).base64URL)"
    }

    /// A key that somebody sent.
    ///
    /// - Returns: `nil` unless it has the form of one.
    init?(_ text: String) {
        let bytes = Bytes(text: text)
        let prefix = Bytes(text: Self.prefix)
        guard bytes.count == prefix.count + 32 + 1 + 43, bytes.starts(with: prefix) else { return nil }
        let id = Bytes(bytes[prefix.count..<prefix.count + 32])
        let secret = Bytes(bytes[(prefix.count + 33)...])
        guard bytes[prefix.count + 32] == 0x5F, Hex.decode(id) != nil, Base64.decode(secret, .url)?.count == 32 else {
            return nil
        }
        service = String(decoding: id, as: UTF8.self)
        self.text = text
    }

    /// What is stored of it: it has 256 random bits, so a plain hash is enough.
    var hash: String { Environment.tokenHash(text) }
}

/// Finds the service that an API key belongs to.
struct ApprovalServiceAuthenticator: ProgramAuthenticator {
    let environment: Environment

    func authenticate(key: String) async throws -> CallingProgram? {
        guard let key = ApprovalAPIKey(key) else { return nil }
        let stored = try await environment.database.pointRead("approval service \(key.service)") { transaction in
            try ApprovalServiceStore(transaction: transaction).find(id: key.service)
        }
        guard let stored, Bytes(text: stored.keyHash).equalsInConstantTime(Bytes(text: key.hash)) else { return nil }
        return CallingProgram(id: stored.info.id)
    }
}
