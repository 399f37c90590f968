import Encodings
import Interface
import Storage

extension Environment {
    /// Verifies that a device vouches for exactly this pairing and its keys, just now.
    func verify(_ statement: String, _ pairing: PairingStore.Stored, by endorser: Device, now: Int64) throws {
        guard let key = DeviceProof.key(endorser.signingKey), let signing = DeviceProof.key(pairing.signingKey),
            let encryption = DeviceProof.key(pairing.encryptionKey)
        else { throw AccountError.invalidEndorsement }
        let payload: JSON
        do {
            payload = try DeviceProof(suite: suite, publicURL: publicURL).statement(
                statement, by: key, type: Statement.pairingType, username: pairing.username, now: now)
        } catch {
            throw AccountError.invalidEndorsement
        }
        let expected = Statement.pairing(
            audience: publicURL, username: pairing.username, pairing: pairing.id,
            signingKey: signing.thumbprint.base64URL, encryptionKey: encryption.thumbprint.base64URL,
            time: payload["iat"]?.integer ?? 0)
        guard Statement.isSame(payload, as: expected) else { throw AccountError.invalidEndorsement }
    }

    /// The endorsements from a device back to the account's first.
    func endorsements(of device: Device, in transaction: Transaction) throws -> [DeviceEndorsement] {
        let store = DeviceStore(transaction: transaction)
        var endorsements: [DeviceEndorsement] = []
        var device = device
        while let statement = device.endorsement, endorsements.count < Limits.deviceEndorsements,
            let endorser = try device.endorsedBy.flatMap({ try store.find(id: $0)?.device })
        {
            endorsements.append(DeviceEndorsement(signingKey: endorser.signingKey, statement: statement))
            device = endorser
        }
        return endorsements
    }
}
