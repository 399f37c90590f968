import CryptoProvider
import Encodings
import Interface
import Storage

/// A person's ways to be told something, and what they want to be told.
struct NotificationService {
    let environment: Environment

    func settings(_ principal: Principal) async throws -> NotificationSettings {
        let key = try PushKeys(environment.keys).signingKey().publicKey.x963.base64URL
        let now = environment.now()
        let (ways, off) = try await environment.database.read { transaction in
            let store = NotificationWayStore(transaction: transaction)
            return (try store.list(of: principal.account), try store.off(of: principal.account))
        }
        return NotificationSettings(
            ways: ways.filter { $0.isKnown(at: now) }.map { $0.shown(environment) },
            kinds: environment.slices.notifications.map {
                NotificationKindInfo(name: $0.name, isSecurity: $0.isSecurity)
            },
            off: off, pushKey: key, hasEmail: environment.mail != nil, hasSMS: environment.sms != nil)
    }

    /// Switches a kind on or off for a kind of way; what protects the account stays on.
    func set(_ choice: NotificationSwitch, _ principal: Principal) async throws -> NotificationSettings {
        guard let kind = environment.slices.notifications.first(where: { $0.name == choice.kind }) else {
            throw NotificationError.unknownKind
        }
        guard !kind.isSecurity else { throw NotificationError.security }
        try await environment.database.write { transaction in
            try NotificationWayStore(transaction: transaction).set(choice, of: principal.account)
        }
        return try await settings(principal)
    }

    /// A browser that wants to be told; the same again changes nothing.
    func subscribe(_ request: NewPushSubscription, _ principal: Principal) async throws -> NotificationWay {
        guard
            let subscription = PushSubscription(
                endpoint: request.endpoint, key: request.key, auth: request.auth, suite: environment.suite)
        else { throw NotificationError.invalidSubscription }
        let now = environment.now()
        let way = NotificationWayStore.Stored(
            id: environment.newIdentifier(), account: principal.account, kind: .push, address: subscription.endpoint,
            pushKey: subscription.key.x963.base64URL, pushAuth: subscription.auth.base64URL, device: principal.device,
            created: now, confirmed: now)
        return try await environment.database.write { transaction in
            let store = NotificationWayStore(transaction: transaction)
            var way = way
            if way.device == nil {
                way.passkey = try SessionStore(transaction: transaction).passkey(ofSession: principal.session)
            }
            for other in try store.list(endpoint: way.address) {
                // The endpoint alone may have been seen; only that browser and this server know the secret.
                guard let known = other.pushAuth, let given = way.pushAuth,
                    Bytes(text: known).equalsInConstantTime(Bytes(text: given))
                else { throw NotificationError.invalidSubscription }
                if other.account == principal.account, other.device == way.device { return other.shown(environment) }
                // Somebody else has signed in to this browser: what waits for the other person is not for them.
                try store.delete(other.id)
                try NotificationOutboxStore(transaction: transaction).delete(way: other.id)
                try environment.notify(
                    .access, other.account, saying: NotificationDetail(.browserRemoved), in: transaction, now: now)
            }
            guard try store.list(of: principal.account).count(where: { $0.kind == .push }) < Limits.pushSubscriptions
            else { throw NotificationError.tooManySubscriptions }
            // All other ways hear of it, so that nobody with a stolen session listens unnoticed.
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(.browserAdded), in: transaction, now: now)
            try store.insert(way)
            return way.shown(environment)
        }
    }

    /// Whether notices say what they are about, by one way.
    func setContent(
        _ id: String, _ request: NotificationContent, _ principal: Principal
    ) async throws -> NotificationWay {
        let now = environment.now()
        return try await environment.database.write { transaction in
            let store = NotificationWayStore(transaction: transaction)
            guard var way = try store.list(of: principal.account).first(where: { $0.id == id && $0.isKnown(at: now) })
            else { throw NotificationError.notFound }
            try store.setSaysContent(id, request.isOn)
            if !request.isOn { try NotificationOutboxStore(transaction: transaction).forgetDetails(way: id) }
            way.saysContent = request.isOn
            return way.shown(environment)
        }
    }

    /// Removes a way.
    ///
    /// It still gets the notice that tells of it, as do all others, and what waits about the account's protection: else
    /// anyone who has the session could change everything in silence.
    func remove(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        try await environment.database.write { transaction in
            let store = NotificationWayStore(transaction: transaction)
            guard let way = try store.list(of: principal.account).first(where: { $0.id == id && $0.isKnown(at: now) })
            else { throw NotificationError.notFound }
            if way.kind != .push {
                // It got its code, and no more. That goes on counting elsewhere.
                guard way.confirmed != nil else { return try store.delete(id) }
            } else {
                try NotificationOutboxStore(transaction: transaction)
                    .delete(way: id, except: environment.slices.notifications.filter(\.isSecurity))
            }
            let sentence: NotificationDetail.Sentence =
                switch way.kind {
                case .email: .emailRemoved
                case .sms: .numberRemoved
                case .push: .browserRemoved
                }
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(sentence), in: transaction, now: now)
            try store.delete(id)
        }
    }
}

extension NotificationWayStore.Stored {
    /// Whether it is confirmed, or can still be.
    func isKnown(at now: Int64) -> Bool {
        confirmed != nil || (created > now - Limits.emailCodeTime && tries < Limits.emailTries)
    }

    /// As its owner sees it: the rest of an endpoint is a secret between browser, push service and server.
    func shown(_ environment: Environment) -> NotificationWay {
        let isPush = kind == .push
        return NotificationWay(
            id: id, kind: kind,
            address: isPush ? String(address.dropFirst(8).prefix { $0 != "/" }) : address,
            mark: isPush ? environment.suite.sha256(Bytes(text: address)).base64URL : nil, created: created,
            isConfirmed: confirmed != nil, saysContent: saysContent)
    }
}
