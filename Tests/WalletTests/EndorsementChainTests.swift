import CryptoProvider
import Encodings
import Interface
import Testing

@testable import Wallet

/// From the keys of an administrator's face-to-face check to those of a later device: link by link, or not at all.
@Suite("A chain of endorsed devices")
struct EndorsementChainTests {
    /// A device of the holder.
    struct HeldDevice {
        let signing: SigningKey
        let encryption: EncryptionKey

        init() throws {
            signing = try SigningKey()
            encryption = try EncryptionKey()
        }

        var keys: HolderKeys {
            get throws {
                try HolderKeys(
                    Device(
                        id: "d", name: "d", signingKey: signing.publicKey.x963.base64URL,
                        encryptionKey: encryption.publicKey.x963.base64URL, created: 0, revoked: nil))
            }
        }

        var thumbprint: String { signing.publicKey.thumbprint.base64URL }

        /// Lets another one in.
        func endorses(
            _ other: HeldDevice, by key: SigningKey? = nil, type: String = "\(Statement.pairingType)",
            audience: String = "https://a", username: String = "ada", encryption: EncryptionKey? = nil
        ) throws -> DeviceEndorsement {
            let statement = try (key ?? signing).signJWS(
                type: type,
                payload: Statement.pairing(
                    audience: audience, username: username, pairing: "p", signingKey: other.thumbprint,
                    encryptionKey: (encryption ?? other.encryption).publicKey.thumbprint.base64URL, time: 1))
            return DeviceEndorsement(signingKey: signing.publicKey.x963.base64URL, statement: statement)
        }
    }

    private func leads(_ endorsements: [DeviceEndorsement], from device: HeldDevice, to known: [String]) throws -> Bool
    {
        EndorsementChain(audience: "https://a", username: "ada", endorsements: endorsements)
            .leads(from: try device.keys, toOneOf: known, suite: SwiftCryptoSuite())
    }

    @Test("leads from the newest device to the one that is known")
    func good() throws {
        let (first, second, third) = (try HeldDevice(), try HeldDevice(), try HeldDevice())
        let chain = [try second.endorses(third), try first.endorses(second)]
        #expect(try leads(chain, from: third, to: [first.thumbprint]))
        #expect(try leads(chain, from: third, to: [second.thumbprint]), "it may be known in the middle")
        #expect(try leads([chain[1]], from: second, to: [first.thumbprint]))
    }

    @Test("a page's statement, whose members stand in canonical order, counts the same")
    func order() throws {
        let (first, second) = (try HeldDevice(), try HeldDevice())
        let payload = Statement.pairing(
            audience: "https://a", username: "ada", pairing: "p", signingKey: second.thumbprint,
            encryptionKey: second.encryption.publicKey.thumbprint.base64URL, time: 1)
        let statement = try first.signing.signJWS(
            type: "\(Statement.pairingType)", payload: JSON.parse(payload.canonical()))
        let endorsement = DeviceEndorsement(signingKey: first.signing.publicKey.x963.base64URL, statement: statement)
        #expect(try leads([endorsement], from: second, to: [first.thumbprint]))
    }

    /// How a server would try to get its own key accepted.
    enum Forgery: String, CaseIterable {
        case none, unknownRoot, otherSigner, otherPurpose, otherServer, otherPerson, otherEncryptionKey, missingLink
        case otherOrder, brokenKey, tooLong
    }

    @Test("that is broken, forged, or ends elsewhere, leads nowhere", arguments: Forgery.allCases)
    func forged(forgery: Forgery) throws {
        let (first, second, third, eve) = (try HeldDevice(), try HeldDevice(), try HeldDevice(), try HeldDevice())
        let upper = try first.endorses(second)
        var chain = [try second.endorses(third), upper]
        switch forgery {
        case .none: chain = []
        case .unknownRoot: chain = [try eve.endorses(third)]
        case .otherSigner: chain[1] = try first.endorses(second, by: eve.signing)
        case .otherPurpose: chain[0] = try second.endorses(third, type: "\(Statement.deviceType)")
        case .otherServer: chain[1] = try first.endorses(second, audience: "https://b")
        case .otherPerson: chain[1] = try first.endorses(second, username: "eve")
        case .otherEncryptionKey: chain[0] = try second.endorses(third, encryption: eve.encryption)
        case .missingLink: chain = [upper]
        case .otherOrder: chain.reverse()
        case .brokenKey: chain[0].signingKey = "AAAA"
        case .tooLong: chain = Array(repeating: try third.endorses(third), count: 15) + chain
        }
        #expect(try !leads(chain, from: third, to: [first.thumbprint]))
    }
}
