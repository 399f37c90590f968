import CryptoProvider
import Encodings
import Interface
import Storage

/// E-mail addresses and phone numbers that a person adds: each gets a code, and nothing else before that is typed here.
struct NotificationCodeService {
    let environment: Environment

    /// Sends a code to an e-mail address.
    func add(_ request: NewEmailAddress, _ principal: Principal) async throws -> NotificationWay {
        guard let mail = environment.mail else { throw NotificationError.noEmail }
        guard let address = EmailAddress(request.address) else { throw NotificationError.invalidAddress }
        let (way, code) = newWay(.email, address.text, principal)
        try await environment.database.write { transaction in
            try check(way, in: transaction)
            // Accounts cost nothing, so strangers are also counted by whom they write to, and all together.
            try TryStore(transaction: transaction).spend(
                [
                    TryStore.Bucket(.codesForAccount, .account(way.account), environment),
                    TryStore.Bucket(.codesToAddress, .account(address.mailbox), environment),
                    TryStore.Bucket(.codesByServer, .account("all"), environment),
                ], now: way.created)
            try NotificationWayStore(transaction: transaction).insert(way)
        }
        let words = try await NotificationWords.of(principal.account, environment)
        let letterhead = try await Letterhead.find(
            in: environment.database, words.catalogue, publicURL: environment.publicURL)
        let (subject, text) = words.confirmation(code)
        let message = MailMessage(
            to: address, subject: subject, text: text, letterhead: letterhead, id: way.id, time: way.created)
        do {
            try await mail.deliver(message)
        } catch {
            throw NotificationError.notSent("\(error)")
        }
        return way.shown(environment)
    }

    /// Sends a code to a phone number, within the bounds on SMS.
    func add(_ request: NewPhoneNumber, _ principal: Principal) async throws -> NotificationWay {
        guard let office = environment.sms else { throw NotificationError.noSMS }
        guard let number = PhoneNumber(request.number) else { throw NotificationError.invalidNumber }
        guard office.prefixes.allow(number) else { throw NotificationError.foreignNumber }
        let (way, code) = newWay(.sms, number.text, principal)
        let use = SMSUseStore.Use(
            id: way.id, account: way.account, number: number.text, isCode: true, sent: way.created)
        try await environment.database.write { transaction in
            try check(way, in: transaction)
            if let wait = try SMSUseStore(transaction: transaction).take(use, perHour: office.perHour) {
                throw NotificationError.tooManySMS(seconds: wait)
            }
            try NotificationWayStore(transaction: transaction).insert(way)
        }
        let text = try await NotificationWords.of(principal.account, environment).smsConfirmation(code)
        switch await office.transport.deliver(SMSMessage(to: number, text: text, id: way.id), now: way.created) {
        case .delivered: return way.shown(environment)
        case .gone: throw NotificationError.smsNotSent("gone")
        case .refused(let reason), .later(let reason, _): throw NotificationError.smsNotSent(reason)
        }
    }

    /// The person has the code: from now on the address or number gets notices, and all ways are told.
    func confirm(
        _ id: String, _ request: NotificationCode, _ kind: NotificationWay.Kind, _ principal: Principal
    ) async throws -> NotificationWay {
        let now = environment.now()
        let hash = environment.codeHash(request.code, purpose: Self.purpose(kind))
        return try await environment.database.write { transaction -> Result<NotificationWay, NotificationError> in
            let store = NotificationWayStore(transaction: transaction)
            guard
                var way = try store.list(of: principal.account).first(where: {
                    $0.id == id && $0.kind == kind && $0.isKnown(at: now)
                })
            else { return .failure(.notFound) }
            guard way.confirmed == nil else { return .success(way.shown(environment)) }
            guard let known = way.codeHash, Bytes(text: known).equalsInConstantTime(Bytes(text: hash)) else {
                try store.setTries(id, way.tries + 1)
                return .failure(.wrongCode)
            }
            // Others may have been confirmed since its code was sent.
            try check(way, in: transaction)
            try store.confirm(id, at: now)
            way.confirmed = now
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(kind == .sms ? .numberAdded : .emailAdded),
                in: transaction, now: now)
            return .success(way.shown(environment))
        }.get()
    }

    private static func purpose(_ kind: NotificationWay.Kind) -> String {
        kind == .sms ? "notification sms" : "notification e-mail"
    }

    private func newWay(
        _ kind: NotificationWay.Kind, _ address: String, _ principal: Principal
    ) -> (way: NotificationWayStore.Stored, code: String) {
        let code = environment.humanCode(groups: 2)
        let way = NotificationWayStore.Stored(
            id: environment.newIdentifier(), account: principal.account, kind: kind, address: address,
            created: environment.now(), codeHash: environment.codeHash(code, purpose: Self.purpose(kind)))
        return (way, code)
    }

    /// Refuses what gets notices already, and one too many.
    private func check(_ way: NotificationWayStore.Stored, in transaction: Transaction) throws {
        let confirmed = try NotificationWayStore(transaction: transaction).list(of: way.account).filter {
            $0.kind == way.kind && $0.confirmed != nil
        }
        guard !confirmed.contains(where: { $0.address == way.address }) else {
            throw NotificationError.addressKnown(way.kind)
        }
        let most = way.kind == .sms ? Limits.phoneNumbers : Limits.emailAddresses
        guard confirmed.count < most else { throw NotificationError.tooManyAddresses(way.kind) }
    }
}
