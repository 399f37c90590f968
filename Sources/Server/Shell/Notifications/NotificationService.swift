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
            off: off, pushKey: key, hasEmail: environment.mail != nil)
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
            for other in try store.list(endpoint: way.address) {
                // The endpoint alone may have been seen; only that browser and this server know the secret.
                guard let known = other.pushAuth, let given = way.pushAuth,
                    Bytes(text: known).equalsInConstantTime(Bytes(text: given))
                else { throw NotificationError.invalidSubscription }
                if other.account == principal.account, other.device == way.device { return other.shown(environment) }
                // Somebody else has signed in to this browser: what waits for the other person is not for them.
                try store.delete(other.id)
                try NotificationOutboxStore(transaction: transaction).delete(way: other.id)
            }
            guard try store.list(of: principal.account).count(where: { $0.kind == .push }) < Limits.pushSubscriptions
            else { throw NotificationError.tooManySubscriptions }
            try store.insert(way)
            return way.shown(environment)
        }
    }

    /// Removes a way.
    ///
    /// An e-mail address still gets the notice that tells of it, as do all others.
    func remove(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        try await environment.database.write { transaction in
            let store = NotificationWayStore(transaction: transaction)
            guard let way = try store.list(of: principal.account).first(where: { $0.id == id && $0.isKnown(at: now) })
            else { throw NotificationError.notFound }
            if way.kind == .email {
                // The row goes on counting among those of its day, so that nobody is sent codes without end.
                guard way.confirmed != nil else { return try store.setTries(id, Limits.emailTries) }
                try environment.notify(.access, principal.account, in: transaction, now: now)
            } else {
                try NotificationOutboxStore(transaction: transaction).delete(way: id)
            }
            try store.delete(id)
        }
    }

    /// Sends a code to an e-mail address, which gets nothing else before it is typed here.
    func add(_ request: NewEmailAddress, _ principal: Principal) async throws -> NotificationWay {
        guard let mail = environment.mail else { throw NotificationError.noEmail }
        guard let address = EmailAddress(request.address) else { throw NotificationError.invalidAddress }
        let code = environment.humanCode(groups: 2)
        let now = environment.now()
        let way = NotificationWayStore.Stored(
            id: environment.newIdentifier(), account: principal.account, kind: .email, address: address.text,
            created: now, codeHash: environment.codeHash(code, purpose: "notification e-mail"))
        try await environment.database.write { transaction in
            let store = NotificationWayStore(transaction: transaction)
            let own = try store.list(of: principal.account).filter { $0.kind == .email }
            guard !own.contains(where: { $0.address == way.address && $0.confirmed != nil }) else {
                throw NotificationError.addressKnown
            }
            guard own.count(where: { $0.confirmed != nil }) < Limits.emailAddresses else {
                throw NotificationError.tooManyAddresses
            }
            guard own.count(where: { $0.confirmed == nil && $0.created > now - 86_400 }) < Limits.emailCodes else {
                throw NotificationError.tooManyCodes
            }
            try store.insert(way)
        }
        let words = try await NotificationWords.of(principal.account, environment).confirmation(code)
        let message = MailMessage(
            to: address, subject: words.subject, text: words.text, id: way.id, time: now)
        do {
            try await mail.deliver(message)
        } catch {
            throw NotificationError.notSent("\(error)")
        }
        return way.shown(environment)
    }

    /// The person has the code: from now on the address gets notices, and all ways are told.
    func confirm(
        _ id: String, _ request: EmailConfirmation, _ principal: Principal
    ) async throws -> NotificationWay {
        let now = environment.now()
        let hash = environment.codeHash(request.code, purpose: "notification e-mail")
        return try await environment.database.write { transaction -> Result<NotificationWay, NotificationError> in
            let store = NotificationWayStore(transaction: transaction)
            guard
                var way = try store.list(of: principal.account).first(where: {
                    $0.id == id && $0.kind == .email && $0.isKnown(at: now)
                })
            else { return .failure(.notFound) }
            guard way.confirmed == nil else { return .success(way.shown(environment)) }
            guard let known = way.codeHash, Bytes(text: known).equalsInConstantTime(Bytes(text: hash)) else {
                try store.setTries(id, way.tries + 1)
                return .failure(.wrongCode)
            }
            try store.confirm(id, at: now)
            way.confirmed = now
            try environment.notify(.access, principal.account, in: transaction, now: now)
            return .success(way.shown(environment))
        }.get()
    }
}

extension NotificationWayStore.Stored {
    /// Whether it is confirmed, or can still be.
    fileprivate func isKnown(at now: Int64) -> Bool {
        confirmed != nil || (created > now - Limits.emailCodeTime && tries < Limits.emailTries)
    }

    /// As its owner sees it: the rest of an endpoint is a secret between browser, push service and server.
    fileprivate func shown(_ environment: Environment) -> NotificationWay {
        let isPush = kind == .push
        return NotificationWay(
            id: id, kind: kind,
            address: isPush ? String(address.dropFirst(8).prefix { $0 != "/" }) : address,
            mark: isPush ? environment.suite.sha256(Bytes(text: address)).base64URL : nil, created: created,
            isConfirmed: confirmed != nil)
    }
}
