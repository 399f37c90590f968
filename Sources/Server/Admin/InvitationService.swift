import Interface
import Storage

/// Invitations for administrators and operators: shown once, used once, soon expired.
struct InvitationService {
    let environment: Environment

    func invite(_ request: InvitationRequest, _ principal: Principal) async throws -> Invitation {
        guard request.role == .administrator || request.role == .operator,
            Limits.invitationTime.contains(request.lifetime)
        else { throw AccountError.invalidInvitation }
        let recipient = try AccountRules.recipient(request.recipient)
        let now = environment.now()
        let code = environment.humanCode(groups: 5)
        var invitation = Invitation(
            id: environment.newIdentifier(), role: request.role, recipient: recipient, created: now,
            expires: now + request.lifetime, used: nil)
        let stored = invitation
        try await environment.database.write { transaction in
            try InvitationStore(transaction: transaction).insert(
                stored, codeHash: environment.codeHash(code, purpose: "invitation"), by: principal.account)
        }
        environment.publish(
            LiveEvent(.invitation, id: invitation.id, state: "made"), toEveryoneWho: .manageInvitations)
        invitation.code = code
        invitation.link = "\(environment.publicURL)/join#\(code)"
        return invitation
    }

    /// One page of a part of the invitations, without their codes, the newest first.
    func list(_ part: InvitationListStore.Part, _ request: ListRequest) async throws -> Listing<Invitation> {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let store = InvitationListStore(transaction: transaction)
            let (rows, next) = try store.page(part, request, now: now)
            return Listing(
                rows, next: next?.text,
                counts: request.cursor == nil ? try store.counts(request.words, now: now) : nil)
        }
    }

    func withdraw(_ id: String) async throws {
        let found = try await environment.database.write { try InvitationStore(transaction: $0).delete(id: id) }
        guard found else { throw AccountError.invitationNotFound }
        environment.publish(
            LiveEvent(.invitation, id: id, state: "withdrawn"), toEveryoneWho: .manageInvitations)
    }
}
