import CryptoProvider
package import EllipticCurves
package import Encodings
package import Pico

extension WalletSecrets {
    /// One account at one service: the key that was made for it alone, and what the service handed out.
    ///
    /// No description shows its key or its extra data.
    struct PicoAccount: Codable, Sendable, Equatable {
        /// The most accounts in a wallet.
        static let maximumCount = 100

        /// Names it on the command line; 12 hexadecimal digits.
        var id: String
        /// The commitment of the service's identity key, base64url.
        var service: String
        /// The service's name, as it was in its pairing code.
        var serviceName: String
        /// The person's own name for it.
        var name: String
        /// The curve of all keys; another one than P-256 only if the person has marked the service as old.
        var curve: PicoCurveName
        /// The secret number of the identity key, base64url.
        var key: String
        /// What the service gets back at each sign-in, byte for byte, base64url.
        var extraData: String
        /// Whether the person is asked each time, whatever the command says.
        var asksEveryTime: Bool
        /// When it was paired, in seconds since 1970.
        var created: Int64

        /// What a run needs.
        ///
        /// - Throws: `tampered` for something that this wallet has not written.
        func opened() throws(WalletError) -> (pairing: PicoPairing, identity: ECPrivateKey, extraData: Bytes) {
            guard let bytes = service.fromBase64URL, let commitment = PicoCommitment(bytes: bytes),
                let scalar = key.fromBase64URL,
                let identity = try? SwiftCryptoSuite().privateKey(on: curve.curve, scalar: scalar),
                let extraData = extraData.fromBase64URL
            else { throw .tampered }
            let pairing = PicoPairing(
                service: commitment, name: Bytes(text: serviceName), identity: identity.publicKey,
                curves: curve.curves)
            return (pairing, identity, extraData)
        }
    }
}

extension WalletSecrets.PicoAccount: CustomStringConvertible, CustomReflectable {
    var description: String { "account \(id)" }
    var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// What is shown of an account.
package struct PicoAccountSummary: Codable, Sendable, Equatable {
    /// Names it on the command line.
    package let id: String
    /// The service's name, as it was in its pairing code.
    package let service: String
    /// The fingerprint of the service's identity key.
    package let fingerprint: String
    /// The person's own name for it.
    package let name: String
    /// The curve of all keys.
    package let curve: PicoCurveName
    /// Whether the person is asked each time.
    package let asksEveryTime: Bool
    /// When it was paired, in seconds since 1970.
    package let created: Int64

    init(_ account: WalletSecrets.PicoAccount) {
        id = account.id
        service = account.serviceName
        fingerprint =
            account.service.fromBase64URL.flatMap { PicoCommitment(bytes: $0) }?.fingerprint.text ?? ""
        name = account.name
        curve = account.curve
        asksEveryTime = account.asksEveryTime
        created = account.created
    }
}

/// An account that another program made.
package struct PicoImportedAccount: Sendable {
    /// The commitment of the service's identity key.
    package let service: PicoCommitment
    /// The service's name.
    package let serviceName: Bytes
    /// The person's own name for the account.
    package let name: Bytes
    /// The identity key for it.
    package let identity: ECPrivateKey
    /// What the service gets back at each sign-in, at most 4,096 bytes.
    package let extraData: Bytes

    /// An account as it was read.
    package init(
        service: PicoCommitment, serviceName: Bytes, name: Bytes, identity: ECPrivateKey, extraData: Bytes
    ) {
        self.service = service
        self.serviceName = serviceName
        self.name = name
        self.identity = identity
        self.extraData = extraData
    }
}
