import CryptoProvider
import Encodings
import Interface
import Storage

/// A device of an account lets another one in: it compares the keys with the code that the other shows, and signs them.
struct PairingService {
    let environment: Environment

    /// A new device asks.
    ///
    /// It is taken for unknown usernames too, at the same cost, so that the answer tells nothing.
    func open(_ request: PairingRequest) async throws -> Pairing {
        let username = try AccountRules.username(request.username)
        let deviceName = try AccountRules.name(request.device.name)
        let passphrase = try request.passphrase.map(AccountRules.passphrase)
        let now = environment.now()
        _ = try await environment.organisation()
        _ = try DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
            .verify(request.device, username: username, now: now)
        let proved = try await environment.prove(request.passkey, username: username, now: now)
        let (hash, isKnown) = try await compare(passphrase, username: username)
        let token = environment.randomText(32)
        let draft = PairingStore.Stored(
            id: environment.newIdentifier(), tokenHash: Environment.tokenHash(token), username: username,
            account: nil, deviceName: deviceName, signingKey: request.device.signingKey,
            encryptionKey: request.device.encryptionKey, passkey: proved?.passkey.text, passphraseHash: hash,
            isPassphraseKnown: isKnown, state: .open, created: now, expires: now + Limits.pairingTime)
        try await environment.database.write { transaction in
            try proved?.use(in: transaction, now: now)
            var pairing = draft
            pairing.account = try AccountStore(transaction: transaction).find(username: username)?.id
            let store = PairingStore(transaction: transaction)
            try store.delete(expiredBefore: now - Limits.pairingMemory)
            try store.expireOldest(username: username, keeping: Limits.pairings - 1)
            try store.insert(pairing)
        }
        return Pairing(id: draft.id, expires: draft.expires, token: token, state: .open)
    }

    func find(_ id: String, _ principal: Principal) async throws -> PairingDetails {
        let now = environment.now()
        return try await environment.database.read { transaction in
            try own(id, principal, in: transaction).shown(now: now)
        }
    }

    func endorse(_ id: String, _ request: PairingEndorsement, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let (index, device) = try await environment.database.write { transaction in
            let pairing = try own(id, principal, in: transaction)
            try pairing.requireOpen(now: now)
            let devices = DeviceStore(transaction: transaction)
            guard let own = principal.device, let endorser = try devices.find(id: own)?.device,
                endorser.revoked == nil
            else { throw Problem(.deviceRequired) }
            try environment.verify(request.statement, pairing, by: endorser, now: now)
            guard try devices.list(account: principal.account).filter({ $0.revoked == nil }).count < Limits.devices,
                try environment.endorsements(of: endorser, in: transaction).count < Limits.deviceEndorsements
            else { throw AccountError.tooManyDevices }
            try acceptPassphrase(of: pairing, account: principal.account, in: transaction)
            try pairing.storedPasskey()?.store(
                account: principal.account, name: pairing.deviceName, in: transaction)
            let device = Device(
                id: environment.newIdentifier(), name: pairing.deviceName, signingKey: pairing.signingKey,
                encryptionKey: pairing.encryptionKey, created: now, revoked: nil, endorsement: request.statement,
                endorsedBy: endorser.id)
            let index = try environment.enrol(
                device, account: principal.account, endorser: endorser.signingKey, in: transaction, now: now)
            try PairingStore(transaction: transaction).decide(
                id: id, .endorsed, device: device.id, logIndex: index)
            try environment.notify(
                .device, principal.account, saying: NotificationDetail(.deviceAdded), in: transaction, now: now)
            return (index, device.id)
        }
        environment.publish(LiveEvent(.device, id: device, state: "enrolled"), to: principal.account)
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    func refuse(_ id: String, _ principal: Principal) async throws -> PairingDetails {
        let now = environment.now()
        return try await environment.database.write { transaction in
            var pairing = try own(id, principal, in: transaction)
            try pairing.requireOpen(now: now)
            try PairingStore(transaction: transaction).decide(id: id, .refused, device: nil, logIndex: nil)
            pairing.state = .refused
            return try pairing.shown(now: now)
        }
    }

    /// The new device's first session: not confirmed, for nobody was seen there.
    func session(_ id: String, _ request: PairingSessionRequest) async throws -> NewSession {
        let now = environment.now()
        let hash = Environment.tokenHash(request.token)
        let (opened, index) = try await environment.database.write { transaction in
            let store = PairingStore(transaction: transaction)
            guard let pairing = try store.find(id: id),
                Bytes(text: pairing.tokenHash).equalsInConstantTime(Bytes(text: hash))
            else { throw AccountError.pairingNotFound }
            switch pairing.state(now: now) {
            case .open: throw AccountError.pairingOpen
            case .refused, .expired: throw AccountError.pairingOver
            case .endorsed: break
            }
            guard pairing.fetched == nil, pairing.expires > now,
                let owned = try pairing.device.flatMap({ try DeviceStore(transaction: transaction).find(id: $0) }),
                owned.device.revoked == nil, let index = pairing.logIndex,
                let account = try AccountStore(transaction: transaction).find(id: owned.account)
            else { throw AccountError.pairingOver }
            try store.markFetched(id: id, at: now)
            let opened = try environment.openSession(
                account: account, device: owned.device, passkey: pairing.storedPasskey()?.id, isConfirmed: false,
                in: transaction, now: now)
            return (opened, index)
        }
        return try await environment.withReceipt(environment.committed(opened), index)
    }

    /// The stored form of the new device's passphrase, and whether it is the account's.
    ///
    /// Both are always worked out: the time must not tell.
    private func compare(_ passphrase: Bytes?, username: String) async throws -> (hash: String?, isKnown: Bool) {
        guard let passphrase else { return (nil, false) }
        let stored = try await environment.database.read {
            try AccountStore(transaction: $0).credentials(username: username)?.passphraseHash
        }
        let isKnown = try await environment.passphrases.verify(passphrase, against: stored)
        return (try await environment.passphrases.hash(passphrase).text, isKnown)
    }

    /// The new device's passphrase must be the account's; an account without one gets it.
    private func acceptPassphrase(
        of pairing: PairingStore.Stored, account: String, in transaction: Transaction
    ) throws {
        guard let hash = pairing.passphraseHash else { return }
        let store = AccountStore(transaction: transaction)
        if try store.credentials(id: account)?.passphraseHash == nil {
            try store.setPassphrase(id: account, hash: hash)
        } else if !pairing.isPassphraseKnown {
            throw AccountError.otherPassphrase
        }
    }

    private func own(
        _ id: String, _ principal: Principal, in transaction: Transaction
    ) throws -> PairingStore.Stored {
        guard let pairing = try PairingStore(transaction: transaction).find(id: id),
            pairing.account == principal.account
        else { throw AccountError.pairingNotFound }
        return pairing
    }
}

extension PairingStore.Stored {
    /// How far it is at this time.
    func state(now: Int64) -> PairingState { state == .open && expires <= now ? .expired : state }

    fileprivate func requireOpen(now: Int64) throws {
        switch state(now: now) {
        case .open: return
        case .expired: throw AccountError.pairingOver
        case .endorsed, .refused: throw AccountError.pairingDecided
        }
    }

    /// The passkey that waits for endorsement.
    fileprivate func storedPasskey() throws -> PasskeyStore.Stored? {
        try passkey.map { try StrictDecoder.decode(PasskeyStore.Stored.self, from: JSON.parse(Bytes(text: $0))) }
    }

    fileprivate func shown(now: Int64) throws -> PairingDetails {
        PairingDetails(
            id: id, username: username, deviceName: deviceName, signingKey: signingKey, encryptionKey: encryptionKey,
            passkey: try storedPasskey()?.id, created: created, expires: expires, state: state(now: now))
    }
}

extension PasskeyStore.Stored {
    /// As a pairing keeps it.
    fileprivate var text: String {
        var members: [(String, JSON)] = [
            ("aaguid", .text(aaguid)), ("account", .text(account)), ("created", .integer(created)), ("id", .text(id)),
            ("is_backed_up", .bool(isBackedUp)), ("is_backup_eligible", .bool(isBackupEligible)),
            ("is_hardware_bound", .bool(isHardwareBound)), ("name", .text(name)), ("public_key", .text(publicKey)),
            ("sign_count", .integer(signCount)), ("transports", .array(transports.map { .text($0) })),
            ("user_handle", .text(userHandle)),
        ]
        if let lastUsed { members.append(("last_used", .integer(lastUsed))) }
        return String(decoding: JSON.members(members).serialized(), as: UTF8.self)
    }
}
