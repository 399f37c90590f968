import Documents
import Encodings
import Interface
import Storage

/// The face-to-face check: a member becomes a verified one and gets an identity credential.
struct EnrolmentService {
    let environment: Environment

    /// A member's wallet opens a check.
    ///
    /// Older unfinished ones are given up: only the newest code works.
    func open(_ request: EnrolmentRequest, _ principal: Principal) async throws -> Enrolment {
        guard let commitment = Base64.decode(Bytes(text: request.commitment), .url), commitment.count == 32 else {
            throw DocumentError.invalidText
        }
        guard let device = principal.device else { throw Problem(.deviceRequired) }
        let now = environment.now()
        let stored = EnrolmentStore.Stored(
            id: environment.newIdentifier(), state: .open, holder: principal.account, device: device,
            commitment: request.commitment, expires: now + Limits.enrolmentTime)
        let (opened, ended) = try await environment.database.write { transaction in
            let store = EnrolmentStore(transaction: transaction)
            let ended = try store.abandonOpen(holder: principal.account)
            try store.insert(stored)
            return (try environment.describe(stored, in: transaction), ended)
        }
        // An administrator would wait for nothing; the member's other page may be the one that opens this check.
        for case (let id, let administrator?) in ended {
            environment.publish(LiveEvent(.enrolment, id: id, state: "abandoned"), to: administrator)
        }
        return opened
    }

    /// A check, for its holder and for administrators.
    func find(_ id: String, _ principal: Principal) async throws -> Enrolment {
        try await environment.database.read { transaction in
            guard let stored = try EnrolmentStore(transaction: transaction).find(id: id),
                stored.holder == principal.account || principal.role.may(.identifyMembers)
            else { throw DocumentError.notFound }
            return try environment.describe(stored, in: transaction)
        }
    }

    func claim(_ id: String, _ request: EnrolmentClaim, _ principal: Principal) async throws -> Enrolment {
        guard Base64.decode(Bytes(text: request.nonce), .url)?.count == 32 else { throw DocumentError.invalidText }
        return try await change(id, to: "claimed") { stored, lifecycle, transaction, now in
            _ = try environment.certification(principal.account, for: .identifyMembers, in: transaction, now: now)
            try lifecycle.claim(by: Bytes(text: principal.account), now: now)
            let taker = try TypedCodeStore(transaction: transaction).taker(enrolment: id)
            guard taker == nil || taker == principal.session else { throw DocumentError.typedByAnother }
            stored.administrator = principal.account
            stored.administratorNonce = request.nonce
            stored.status = try environment.statusLists.reserve(isCertificate: false, in: transaction)
        }
    }

    /// The holder opens their commitment and signs the administrator's nonce.
    func answer(_ id: String, _ request: EnrolmentAnswer, _ principal: Principal) async throws -> Enrolment {
        guard let nonce = Base64.decode(Bytes(text: request.nonce), .url), nonce.count == 32 else {
            throw DocumentError.invalidText
        }
        return try await change(id, to: "answered") { stored, lifecycle, transaction, now in
            try lifecycle.answer(by: Bytes(text: principal.account), nonce: nonce, now: now)
            stored.holderNonce = request.nonce
            stored.statement = request.statement
            try verifyHolder(stored, in: transaction, now: now)
        }
    }

    /// The administrator has seen the person and a paper, and signed the identity credential.
    func complete(
        _ id: String, _ request: EnrolmentCompletion, _ principal: Principal
    ) async throws -> DocumentInfo {
        let now = environment.now()
        let name = try AccountRules.name(request.name)
        // Before anything is written, so that refused requests cannot fill the disk.
        try await environment.database.read { transaction in
            guard let stored = try EnrolmentStore(transaction: transaction).find(id: id) else {
                throw DocumentError.notFound
            }
            var lifecycle = try stored.lifecycle()
            try lifecycle.complete(by: Bytes(text: principal.account), now: now)
            _ = try environment.certification(principal.account, for: .identifyMembers, in: transaction, now: now)
        }
        let blob = try await environment.storePackage(request.issuance.sealed)
        let document = try await environment.keepingBlob(blob) {
            try await record(id, request, name, principal, blob: blob, now: now)
        }
        environment.publish(LiveEvent(.enrolment, id: id, state: "completed"), to: document.holder)
        environment.publish(
            LiveEvent(.account, id: document.holder, state: "verified"), toEveryoneWho: .readMembers)
        return try await environment.describe(document)
    }

    private func record(
        _ id: String, _ request: EnrolmentCompletion, _ name: PersonName, _ principal: Principal, blob: String,
        now: Int64
    ) async throws -> DocumentStore.Stored {
        try await environment.database.write { transaction in
            let store = EnrolmentStore(transaction: transaction)
            guard var stored = try store.find(id: id), let status = stored.status,
                let statement = stored.statement
            else { throw DocumentError.notFound }
            var lifecycle = try stored.lifecycle()
            let delegation = try environment.certification(
                principal.account, for: .identifyMembers, in: transaction, now: now)
            try lifecycle.complete(by: Bytes(text: principal.account), now: now)
            guard try DeviceStore(transaction: transaction).find(id: stored.device)?.device.revoked == nil else {
                throw DocumentError.noDevice
            }
            try IssuanceCheck(
                environment: environment, subject: id, status: environment.statusLists.reference(status)
            ).verify(
                request.issuance, authorityKey: delegation.authorityKey, evidence: (request.paper, statement), now: now)
            stored.state = Enrolment.State(lifecycle.state)
            try store.update(stored)
            let accounts = AccountStore(transaction: transaction)
            try accounts.markVerified(id: stored.holder)
            // The name that was checked, and no other: what the person gave at sign-up proves nothing.
            try accounts.rename(id: stored.holder, to: name.whole, parts: name)
            return try environment.insertDocument(
                request.issuance, kind: .memberIdentified, type: "identity", holder: stored.holder,
                device: stored.device, issuer: principal.account, status: status, blob: blob, in: transaction, now: now)
        }
    }

    func abandon(_ id: String, _ principal: Principal) async throws -> Enrolment {
        try await change(id, to: "abandoned") { stored, lifecycle, _, _ in
            try lifecycle.abandon(by: Bytes(text: principal.account))
            stored.endedBy = principal.account == stored.holder ? .holder : .administrator
        }
    }

    private func verifyHolder(_ stored: EnrolmentStore.Stored, in transaction: Transaction, now: Int64) throws {
        guard let owned = try DeviceStore(transaction: transaction).find(id: stored.device),
            owned.device.revoked == nil, let key = DeviceProof.key(owned.device.signingKey),
            let statement = stored.statement
        else { throw DocumentError.noDevice }
        do {
            let payload = try UnverifiedJWS.parse(Bytes(text: statement), maximumLength: Limits.statement.upperBound)
                .payload(signedBy: key, type: Statement.enrolmentType, suite: environment.suite)
            guard let time = payload["iat"]?.integer, DeviceProof.isFresh(payload, now: now),
                Statement.isSame(
                    payload,
                    as: Statement.enrolment(
                        audience: environment.publicURL, enrolment: stored.id,
                        administratorNonce: stored.administratorNonce ?? "", holderNonce: stored.holderNonce ?? "",
                        time: time))
            else { throw DocumentError.invalidStatement }
        } catch is JWSError {
            throw DocumentError.invalidStatement
        }
    }

    private func change(
        _ id: String, to state: String,
        _ step:
            @escaping @Sendable (
                inout EnrolmentStore.Stored, inout EnrolmentLifecycle, Transaction, Int64
            ) throws -> Void
    ) async throws -> Enrolment {
        let now = environment.now()
        let enrolment = try await environment.database.write { transaction in
            let store = EnrolmentStore(transaction: transaction)
            guard var stored = try store.find(id: id) else { throw DocumentError.notFound }
            var lifecycle = try stored.lifecycle()
            try step(&stored, &lifecycle, transaction, now)
            stored.state = Enrolment.State(lifecycle.state)
            try store.update(stored)
            return try environment.describe(stored, in: transaction)
        }
        for account in [enrolment.holder.id, enrolment.administrator?.id].compactMap(\.self) {
            environment.publish(LiveEvent(.enrolment, id: id, state: state), to: account)
        }
        return enrolment
    }
}

extension Enrolment.State {
    init(_ state: EnrolmentLifecycle.State) {
        switch state {
        case .open: self = .open
        case .claimed: self = .claimed
        case .answered: self = .answered
        case .completed: self = .completed
        case .abandoned: self = .abandoned
        }
    }

    var lifecycle: EnrolmentLifecycle.State {
        switch self {
        case .open: .open
        case .claimed: .claimed
        case .answered: .answered
        case .completed: .completed
        case .abandoned: .abandoned
        }
    }
}

extension EnrolmentStore.Stored {
    func lifecycle() throws -> EnrolmentLifecycle {
        guard let commitment = Base64.decode(Bytes(text: commitment), .url) else {
            throw StoredValueError(column: "enrolments.commitment")
        }
        return EnrolmentLifecycle(
            state: state.lifecycle, holder: Bytes(text: holder), commitment: commitment, expires: expires,
            administrator: administrator.map { Bytes(text: $0) })
    }
}

extension Environment {
    func describe(_ stored: EnrolmentStore.Stored, in transaction: Transaction) throws -> Enrolment {
        let accounts = AccountStore(transaction: transaction)
        guard let holder = try accounts.find(id: stored.holder),
            let owned = try DeviceStore(transaction: transaction).find(id: stored.device)
        else { throw DocumentError.notFound }
        return Enrolment(
            id: stored.id, state: stored.state, holder: holder, device: owned.device, commitment: stored.commitment,
            administrator: try stored.administrator.flatMap { try accounts.find(id: $0) },
            administratorNonce: stored.administratorNonce, holderNonce: stored.holderNonce,
            statement: stored.statement, status: stored.status.map { statusLists.reference($0) },
            expires: stored.expires, endedBy: stored.endedBy)
    }
}
