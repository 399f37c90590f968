package import Encodings
import Interface

/// Somebody with whom things are shared, whose keys the log vouches for.
package struct VaultPerson: Sendable {
    /// One of their devices.
    package struct Device: Sendable, Equatable {
        /// What is shared by it is signed with this key.
        package let signingKey: P256PublicKey
        /// What is shared with it is sealed to this key.
        package let encryptionKey: P256PublicKey
        /// The fingerprint of both keys, as people compare it.
        package var print: String { VaultPrint.text(signing: signingKey, encryption: encryptionKey) }

        /// A device's keys; they are the caller's to check.
        package init(signingKey: P256PublicKey, encryptionKey: P256PublicKey) {
            self.signingKey = signingKey
            self.encryptionKey = encryptionKey
        }
    }

    /// The id of their account.
    package let account: String
    /// Their name, as the server says.
    package let name: String
    /// Their devices, the newest first; at least one.
    package let devices: [Device]

    /// Reads what a server says, and leaves nothing in it that nobody vouches for.
    ///
    /// - Parameter vouch: refuses a device whose keys the log does not have, with `badReceipt`.
    /// - Throws: `keysNotLogged`, `noKeys`.
    init(_ said: VaultRecipient, vouch: @Sendable (VaultDevice) async throws -> Void) async throws {
        var devices: [Device] = []
        for device in said.devices {
            do {
                try await vouch(device)
            } catch WalletError.badReceipt {
                throw VaultFault.keysNotLogged(said.name)
            }
            guard let signing = Self.key(device.signingKey), let encryption = Self.key(device.encryptionKey) else {
                throw VaultFault.keysNotLogged(said.name)
            }
            devices.append(Device(signingKey: signing, encryptionKey: encryption))
        }
        guard !devices.isEmpty else { throw VaultFault.noKeys(said.name) }
        account = said.account
        name = said.name
        self.devices = devices
    }

    /// The same person with only those devices whose fingerprints are among these; `nil` if none is.
    func only(_ prints: [String]) -> VaultPerson? {
        let known = devices.filter { prints.contains($0.print) }
        return known.isEmpty ? nil : VaultPerson(account: account, name: name, devices: known)
    }

    private init(account: String, name: String, devices: [Device]) {
        self.account = account
        self.name = name
        self.devices = devices
    }

    private static func key(_ text: String) -> P256PublicKey? {
        text.fromBase64URL.flatMap { P256PublicKey(x963: $0) }
    }
}

/// The fingerprint of a device: what two people compare, because the log does not say who a person is.
package enum VaultPrint {
    /// The first 16 bytes of SHA-256 over the thumbprints of both keys, in hexadecimal groups of four.
    package static func text(signing: P256PublicKey, encryption: P256PublicKey) -> String {
        grouped(Array(SHA256.hash(signing.thumbprint + encryption.thumbprint).prefix(16)).hex)
    }

    /// The same fingerprint however it was typed: small letters, in groups of four.
    package static func normalised(_ typed: String) -> String {
        grouped(String(String.UnicodeScalarView(typed.lowercased().unicodeScalars.filter { isDigit($0) })))
    }

    private static func grouped(_ digits: String) -> String {
        let all = Array(digits)
        return stride(from: 0, to: all.count, by: 4).map { String(all[$0..<min(all.count, $0 + 4)]) }
            .joined(separator: " ")
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || ("a"..."f").contains(scalar)
    }
}
