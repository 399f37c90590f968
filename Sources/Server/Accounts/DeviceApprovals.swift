import Encodings
import Interface
import Storage

extension Environment {
    /// Verifies that a device vouches for exactly this pairing and its keys, just now.
    func verify(_ statement: String, _ pairing: PairingStore.Stored, by approver: Device, now: Int64) throws {
        guard let key = DeviceProof.key(approver.signingKey), let signing = DeviceProof.key(pairing.signingKey),
            let encryption = DeviceProof.key(pairing.encryptionKey)
        else { throw AccountError.invalidApproval }
        let payload: JSON
        do {
            payload = try DeviceProof(suite: suite, publicURL: publicURL).statement(
                statement, by: key, type: Statement.pairingType, username: pairing.username, now: now)
        } catch {
            throw AccountError.invalidApproval
        }
        let expected = Statement.pairing(
            audience: publicURL, username: pairing.username, pairing: pairing.id,
            signingKey: signing.thumbprint.base64URL, encryptionKey: encryption.thumbprint.base64URL,
            time: payload["iat"]?.integer ?? 0)
        guard Statement.isSame(payload, as: expected) else { throw AccountError.invalidApproval }
    }

    /// Who approved whom, from a device back to the account's first.
    func approvals(of device: Device, in transaction: Transaction) throws -> [DeviceApproval] {
        let store = DeviceStore(transaction: transaction)
        var approvals: [DeviceApproval] = []
        var device = device
        while let statement = device.approval, approvals.count < Limits.deviceApprovals,
            let approver = try device.approvedBy.flatMap({ try store.find(id: $0)?.device })
        {
            approvals.append(DeviceApproval(signingKey: approver.signingKey, statement: statement))
            device = approver
        }
        return approvals
    }
}
