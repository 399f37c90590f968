import Documents
import Encodings
import Interface
import Storage

/// Requests for documents: asked, accepted or assigned, cancelled with a reason, answered with a signed document.
struct RequestService {
    let environment: Environment

    func open(_ request: NewDocumentRequest, _ principal: Principal) async throws -> DocumentRequest {
        let note = try DocumentRules.note(request.note)
        let now = environment.now()
        let stored = RequestStore.Stored(
            id: environment.newIdentifier(), type: request.type, note: note, state: .pending,
            member: principal.account, device: principal.device, created: now, changed: now)
        let answer = try await environment.database.write { transaction in
            let account = try AccountStore(transaction: transaction).find(id: principal.account)
            _ = try RequestLifecycle.open(
                member: Bytes(text: principal.account), isVerified: account?.isVerified ?? false,
                isOnCatalogue: Catalogue.isRequestable(request.type))
            let store = RequestStore(transaction: transaction)
            guard try store.countOpen(member: principal.account) < Limits.openRequests else {
                throw DocumentError.tooManyOpen
            }
            try store.insert(stored)
            return try environment.describe(stored, in: transaction)
        }
        announce(answer)
        return answer
    }

    /// A member's own requests, or, for administrators, everybody's.
    func list(
        _ principal: Principal, _ part: RequestListStore.Part, _ request: ListRequest
    ) async throws -> Listing<DocumentRequest> {
        let member = principal.role.may(.readRequests) ? nil : principal.account
        return try await environment.database.read { transaction in
            let store = RequestListStore(transaction: transaction)
            let (rows, next) = try store.page(member: member, part, request)
            let people = try AccountStore(transaction: transaction).find(
                ids: rows.flatMap { [$0.member] + ($0.administrator.map { [$0] } ?? []) })
            return Listing(
                try rows.map { try DocumentRequest($0, people) }, next: next?.text,
                counts: request.cursor == nil ? try store.counts(member: member, request.words) : nil)
        }
    }

    func find(_ id: String, _ principal: Principal) async throws -> DocumentRequest {
        try await environment.database.read { transaction in
            guard let stored = try RequestStore(transaction: transaction).find(id: id),
                stored.member == principal.account || principal.role.may(.readRequests)
            else { throw DocumentError.notFound }
            return try environment.describe(stored, in: transaction)
        }
    }

    func accept(_ id: String, _ principal: Principal) async throws -> DocumentRequest {
        try await change(id, by: principal) { stored, lifecycle, transaction, now in
            try environment.requireCertified(principal, in: transaction, now: now)
            try lifecycle.accept(by: Bytes(text: principal.account))
            stored.administrator = principal.account
        }
    }

    func assign(_ id: String, _ assignment: Assignment, _ principal: Principal) async throws -> DocumentRequest {
        let username = try AccountRules.username(assignment.username)
        return try await change(id, by: principal) { stored, lifecycle, transaction, now in
            try environment.requireCertified(principal, in: transaction, now: now)
            guard let account = try AccountStore(transaction: transaction).find(username: username),
                account.role.may(.handleRequests)
            else { throw DocumentError.notFound }
            try lifecycle.assign(to: Bytes(text: account.id))
            stored.administrator = account.id
        }
    }

    func cancel(_ id: String, _ reason: Reason, _ principal: Principal) async throws -> DocumentRequest {
        let words = try DocumentRules.reason(reason.reason)
        return try await change(id, by: principal) { stored, lifecycle, transaction, now in
            let isAdministrator = principal.role.may(.handleRequests)
            guard isAdministrator || stored.member == principal.account else { throw DocumentError.notFound }
            if stored.member != principal.account {
                try environment.requireCertified(principal, in: transaction, now: now)
            }
            try lifecycle.cancel(
                by: Bytes(text: principal.account), isAdministrator: isAdministrator, hasReason: true)
            stored.reason = words
        }
    }

    /// The data that the administrator's wallet needs to sign: the holder's keys, and the place of the document's
    /// status.
    func prepare(_ id: String, _ principal: Principal) async throws -> IssuancePlan {
        let now = environment.now()
        return try await environment.database.write { transaction in
            let store = RequestStore(transaction: transaction)
            guard var stored = try store.find(id: id),
                let holder = try AccountStore(transaction: transaction).find(id: stored.member)
            else { throw DocumentError.notFound }
            try stored.lifecycle().checkSigning(by: Bytes(text: principal.account))
            _ = try environment.certification(principal.account, for: .signDocuments, in: transaction, now: now)
            guard let device = try chooseDevice(for: stored, in: transaction) else { throw DocumentError.noDevice }
            let place = try stored.status ?? environment.statusLists.reserve(isCertificate: false, in: transaction)
            stored.status = place
            stored.device = device.id
            stored.changed = now
            try store.update(stored)
            return IssuancePlan(
                holder: holder, device: device, status: environment.statusLists.reference(place),
                endorsements: try environment.endorsements(of: device, in: transaction))
        }
    }

    /// The device that asked, or, when it is revoked or none asked, the member's newest.
    private func chooseDevice(for request: RequestStore.Stored, in transaction: Transaction) throws -> Device? {
        let store = DeviceStore(transaction: transaction)
        if let device = try request.device.flatMap({ try store.find(id: $0)?.device }), device.revoked == nil {
            return device
        }
        return try store.current(account: request.member)
    }

    /// Takes the signed and sealed document.
    func issue(_ id: String, _ issuance: Issuance, _ principal: Principal) async throws -> DocumentInfo {
        let now = environment.now()
        // Before anything is written, so that refused requests cannot fill the disk.
        try await environment.database.read { transaction in
            guard let stored = try RequestStore(transaction: transaction).find(id: id) else {
                throw DocumentError.notFound
            }
            try stored.lifecycle().checkSigning(by: Bytes(text: principal.account))
            _ = try environment.certification(principal.account, for: .signDocuments, in: transaction, now: now)
        }
        let blob = try await environment.storePackage(issuance.sealed)
        let (document, answer) = try await environment.keepingBlob(blob) {
            try await record(id, issuance, principal, blob: blob, now: now)
        }
        announce(answer)
        environment.publish(
            LiveEvent(.document, id: document.id, state: "issued"), toEveryoneWho: .revokeDocuments)
        return try await environment.describe(document)
    }

    private func record(
        _ id: String, _ issuance: Issuance, _ principal: Principal, blob: String, now: Int64
    ) async throws -> (DocumentStore.Stored, DocumentRequest) {
        try await environment.database.write { transaction in
            let store = RequestStore(transaction: transaction)
            guard var stored = try store.find(id: id) else { throw DocumentError.notFound }
            var lifecycle = stored.lifecycle()
            try lifecycle.issue(by: Bytes(text: principal.account))
            let delegation = try environment.certification(
                principal.account, for: .signDocuments, in: transaction, now: now)
            // The one that was prepared for, whose key is in what was signed.
            guard let place = stored.status,
                let device = try stored.device.flatMap({
                    try DeviceStore(transaction: transaction).find(id: $0)?.device
                }),
                device.revoked == nil
            else { throw DocumentError.noDevice }
            try IssuanceCheck(
                environment: environment, subject: id, status: environment.statusLists.reference(place)
            ).verify(issuance, authorityKey: delegation.authorityKey, evidence: nil, now: now)
            let document = try environment.insertDocument(
                issuance, kind: .documentIssued, type: stored.type, holder: stored.member, device: device.id,
                issuer: principal.account, status: place, blob: blob, in: transaction, now: now)
            stored.state = .issued
            stored.document = document.id
            stored.changed = now
            try store.update(stored)
            return (document, try environment.describe(stored, in: transaction))
        }
    }

    private func change(
        _ id: String, by principal: Principal,
        _ step:
            @escaping @Sendable (inout RequestStore.Stored, inout RequestLifecycle, Transaction, Int64) throws -> Void
    ) async throws -> DocumentRequest {
        let now = environment.now()
        let answer = try await environment.database.write { transaction in
            let store = RequestStore(transaction: transaction)
            guard var stored = try store.find(id: id) else { throw DocumentError.notFound }
            var lifecycle = stored.lifecycle()
            try step(&stored, &lifecycle, transaction, now)
            stored.state = DocumentRequest.State(lifecycle.state)
            stored.changed = now
            try store.update(stored)
            if stored.member != principal.account {
                let detail = NotificationDetail(
                    stored.state == .cancelled ? .requestCancelled : .requestAccepted, stored.type)
                try environment.notify(
                    .request, stored.member, about: stored.id, saying: detail, in: transaction, now: now)
            }
            return try environment.describe(stored, in: transaction)
        }
        announce(answer)
        return answer
    }

    /// Tells all administrators' lists and the member's at once.
    private func announce(_ request: DocumentRequest) {
        let event = LiveEvent(.request, id: request.id, state: request.state.rawValue)
        environment.publish(event, to: request.member.id)
        environment.publish(event, toEveryoneWho: .readRequests)
    }
}

extension DocumentRequest.State {
    init(_ state: RequestLifecycle.State) {
        switch state {
        case .pending: self = .pending
        case .accepted: self = .accepted
        case .cancelled: self = .cancelled
        case .issued: self = .issued
        }
    }

    var lifecycle: RequestLifecycle.State {
        switch self {
        case .pending: .pending
        case .accepted: .accepted
        case .cancelled: .cancelled
        case .issued: .issued
        }
    }
}

extension RequestStore.Stored {
    func lifecycle() -> RequestLifecycle {
        RequestLifecycle(
            state: state.lifecycle, member: Bytes(text: member), administrator: administrator.map { Bytes(text: $0) })
    }
}

extension Environment {
    func describe(_ stored: RequestStore.Stored, in transaction: Transaction) throws -> DocumentRequest {
        try DocumentRequest(
            stored,
            AccountStore(transaction: transaction).find(
                ids: [stored.member] + (stored.administrator.map { [$0] } ?? [])))
    }
}

extension DocumentRequest {
    /// - Parameter people: the accounts that requests name, by id.
    fileprivate init(_ stored: RequestStore.Stored, _ people: [String: Account]) throws {
        guard let member = people[stored.member] else { throw DocumentError.notFound }
        self.init(
            id: stored.id, type: stored.type, note: stored.note, state: stored.state, member: member,
            administrator: stored.administrator.flatMap { people[$0] }, reason: stored.reason,
            created: stored.created, changed: stored.changed, document: stored.document, device: stored.device)
    }
}
