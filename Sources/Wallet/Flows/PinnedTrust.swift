package import Certificates
import CryptoProvider
package import Encodings
package import Interface
package import Transparency

/// The trust of this wallet: the root and the log that it pinned at first contact, and later only what these vouch for.
package struct PinnedTrust: Sendable {
    /// The organisation's root.
    package let root: TrustAnchor
    /// The organisation's log: its key, or a policy that names keys and witnesses, as text.
    package let log: String
    /// What that text says.
    package let policy: LogPolicy
    /// The version of the main administrator's signed policy; 0 while it is the key alone.
    package let policyVersion: Int64

    /// What a server says about itself at first contact.
    ///
    /// - Parameter fingerprint: what the person was given another way, hexadecimal; colons and spaces do not matter.
    init(_ organisation: Organisation, fingerprint: String?) throws(WalletError) {
        guard organisation.isSetUp else { throw .notSetUp }
        guard let blocks = try? PEM.decode(Bytes(text: organisation.rootCertificate)), blocks.count == 1 else {
            throw .badCertificate("the server's root certificate is not one PEM block")
        }
        try self.init(root: blocks[0], log: organisation.logKey)
        guard root.publicURL == Bytes(text: organisation.publicURL) else {
            throw .badCertificate("the root certificate names another public address")
        }
        if let fingerprint {
            let expected = String(fingerprint.lowercased().filter { $0 != ":" && $0 != " " })
            guard expected == self.fingerprint else { throw .rootDiffers(expected: expected, found: self.fingerprint) }
        }
    }

    init(root der: Bytes, log: String, policyVersion: Int64 = 0) throws(WalletError) {
        self.policyVersion = policyVersion
        do {
            root = try TrustAnchor(der: der)
        } catch {
            throw .badCertificate("the root certificate is refused: \(error)")
        }
        do {
            policy = try LogPolicy.read(Bytes(text: log))
            self.log = log
        } catch {
            throw .unexpectedAnswer("no log key")
        }
    }

    /// SHA-256 of the root certificate, lower-case hexadecimal: what a person compares.
    package var fingerprint: String { root.fingerprint.hex }

    /// Checks a receipt offline.
    ///
    /// - Parameters:
    ///   - type: of the act that it must prove.
    ///   - members: what its record must say.
    package func verify(
        _ receipt: Interface.Receipt, type: String, members: [(StaticString, JSON)] = []
    ) throws(WalletError) -> VerifiedReceipt {
        let verified: VerifiedReceipt
        do {
            verified = try Transparency.Receipt.verify(
                Bytes(text: receipt.proof), policy: policy, suite: SwiftCryptoSuite())
        } catch {
            throw .badReceipt("\(error)")
        }
        guard verified.entry.type.equals(text: type) else { throw .badReceipt("it proves another act") }
        for (name, value) in members where verified.record[name] != value {
            throw .badReceipt("it proves another \(name)")
        }
        return verified
    }
}

extension Array where Element == UInt8 {
    /// Lower-case hexadecimal text.
    package var hex: String { String(decoding: Hex.encode(self), as: UTF8.self) }
    /// Base64url text without padding.
    package var base64URL: String { String(decoding: Base64.encode(self, .url), as: UTF8.self) }
    /// The bytes as text; what is not UTF-8 is replaced.
    package var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// The bytes of base64url text.
    package var fromBase64URL: Bytes? { Base64.decode(Bytes(text: self), .url) }
}
