import Approvals
import Certificates
import CryptoProvider
import Encodings
import Interface
import Storage
import Workers

/// An administrator lets a service speak version 1, or no longer.
struct OriginalAccepting {
    let environment: Environment
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// Switches it on or off.
    ///
    /// The service keeps its RSA key, because apps cannot learn another. It gets a new one only if the request brings it.
    func set(
        _ id: String, _ request: OriginalAcceptance, _ principal: Principal
    ) async throws -> ApprovalServiceChange {
        let now = environment.now()
        let given = try Self.key(request.key)
        let isKnown = try await environment.database.read { transaction in
            guard try ApprovalServiceStore(transaction: transaction).find(id: id) != nil else {
                throw ApprovalServiceError.notFound
            }
            return try OriginalServiceStore(transaction: transaction).find(service: id) != nil
        }
        var new = given
        // To find two primes takes a processor for long.
        if new == nil, !isKnown { new = try await environment.work.run { try RSASigningKey() } }
        let sealed = try new.map { key in
            OriginalServiceStore.Stored(
                service: id,
                sealedKey: try keys.originalBox(ofService: id)
                    .seal(key.derRepresentation, purpose: OriginalWriting.purpose).base64URL,
                publicKey: String(decoding: key.publicPEM, as: UTF8.self), isAccepted: request.accepts)
        }
        let (info, index) = try await environment.database.write { transaction in
            let services = ApprovalServiceStore(transaction: transaction)
            let store = OriginalServiceStore(transaction: transaction)
            let known = try store.find(service: id)
            guard var stored = given == nil ? known ?? sealed : sealed else { throw ApprovalServiceError.notFound }
            stored.isAccepted = request.accepts
            try store.set(stored)
            guard let info = try services.find(id: id)?.info else { throw ApprovalServiceError.notFound }
            let event = TrustEvent(
                .serviceChanged, account: principal.account,
                [
                    ("domain", .text(info.domain)), ("public_key", .text(info.publicKey)),
                    ("version_1", .bool(stored.isAccepted)),
                    ("original_key", .text(try Self.digest(stored.publicKey, suite: environment.suite))),
                ])
            return (info, try environment.log.record(event, in: transaction, now: now))
        }
        return ApprovalServiceChange(service: info, receipt: try await environment.log.receipt(index))
    }

    /// SHA-256 of a public key in PEM, over its DER, base64url: nobody replaces it unseen.
    private static func digest(_ pem: String, suite: SwiftCryptoSuite) throws -> String {
        guard let der = try PEM.decode(Bytes(text: pem), label: "PUBLIC KEY").first else {
            throw StoredValueError(column: "original_services.public_key")
        }
        return suite.sha256(der).base64URL
    }

    /// The key that the administrator brings: apps read no other exponent, and no shorter key is safe.
    private static func key(_ pem: String?) throws -> RSASigningKey? {
        guard let pem else { return nil }
        guard pem.utf8.count <= 8_192, let key = try? RSASigningKey(pem: Bytes(text: pem)),
            let known = try? OriginalServerKey(pem: key.publicPEM), known.exponent == [1, 0, 1]
        else { throw ApprovalServiceError.invalidKey }
        return key
    }
}
