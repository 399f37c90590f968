package import Encodings
package import Interface

/// Accounts, devices and sessions.
extension ServerClient {
    package func organisation() async throws -> Organisation { try await get("/api/organisation") }
    package func setUp(_ request: SetUpRequest) async throws -> SetUpResult { try await post("/api/setup", request) }
    package func recover(_ request: OwnerRecovery) async throws -> SetUpResult {
        try await post("/api/authority/recovery", request)
    }
    package func signUp(_ request: SignUpRequest) async throws -> NewSession {
        try await post("/api/accounts", request)
    }
    package func account() async throws -> Account { try await get("/api/account") }
    package func nonce(_ request: SignInNonceRequest) async throws -> SignInNonce {
        try await post("/api/sign-in", request)
    }
    package func signIn(_ request: SignInRequest) async throws -> NewSession {
        try await post("/api/sessions", request)
    }
    package func confirm(_ request: ConfirmationRequest) async throws -> Confirmation {
        try await post("/api/account/confirmations", request)
    }
    package func sessions() async throws -> [SessionInfo] { try await list("/api/sessions") }
    package func endSession(_ id: String) async throws { try await delete("/api/sessions/\(Self.segment(id))") }
    package func devices() async throws -> [Device] { try await list("/api/devices") }
    package func renameDevice(_ id: String, to name: String) async throws -> Device {
        try await patch("/api/devices/\(Self.segment(id))", DeviceRename(name: name))
    }
    package func revokeDevice(_ id: String, _ reason: Reason) async throws -> Acknowledgement {
        try await post("/api/devices/\(Self.segment(id))/revoke", reason)
    }
    package func members() async throws -> [Account] { try await list("/api/members") }

    func list<Element: Codable & Sendable>(_ path: String) async throws -> [Element] {
        var items: [Element] = []
        var page = path
        var last: String?
        while true {
            let listing: Listing<Element> = try await get(page)
            items += listing.items
            // A page may be empty and be followed by others; the same place twice would never end.
            guard let next = listing.next, next != last else { return items }
            last = next
            page = try path + (path.contains("?") ? "&" : "?") + "cursor=" + Self.segment(next)
        }
    }
}

/// Invitations, delegations and face-to-face checks.
extension ServerClient {
    package func invite(_ request: InvitationRequest) async throws -> Invitation {
        try await post("/api/invitations", request)
    }
    package func invitations() async throws -> [Invitation] { try await list("/api/invitations") }
    package func withdrawInvitation(_ id: String) async throws {
        try await delete("/api/invitations/\(Self.segment(id))")
    }
    package func face() async throws -> OrganisationFace { try await get("/api/organisation/face") }
    package func previewFace(_ change: FaceChange) async throws -> FacePreview {
        // It brings the picture back.
        try await post("/api/organisation/face/preview", change, limit: 1 << 20)
    }
    package func changeFace(_ change: FaceChange) async throws -> OrganisationFace {
        try await put("/api/organisation/face", change)
    }
    package func requestDelegation(_ request: DelegationRequest) async throws -> Delegation {
        try await post("/api/delegations", request)
    }
    package func delegations() async throws -> [Delegation] { try await list("/api/delegations") }
    package func certify(_ id: String, _ certification: Certification) async throws -> Acknowledgement {
        try await post("/api/delegations/\(Self.segment(id))/certificate", certification)
    }
    package func rejectDelegation(_ id: String) async throws {
        try await delete("/api/delegations/\(Self.segment(id))")
    }
    package func revokeDelegation(_ id: String, _ reason: Reason) async throws -> Acknowledgement {
        try await post("/api/delegations/\(Self.segment(id))/revoke", reason)
    }
    package func block(_ account: String, _ reason: Reason) async throws -> Operator {
        try await post("/api/accounts/\(Self.segment(account))/block", reason)
    }

    package func unblock(_ account: String) async throws -> Operator {
        try await post("/api/accounts/\(Self.segment(account))/unblock")
    }

    package func erase(_ account: String, _ erasure: Erasure) async throws -> Acknowledgement {
        try await post("/api/members/\(Self.segment(account))/erase", erasure)
    }
    /// The main administrator's certificate, DER, base64url.
    package func renewAuthority(_ renewal: AuthorityRenewal) async throws -> RenewedAuthority {
        try await post("/api/authority/renewal", renewal)
    }
    package func authority() async throws -> [String] { try await list("/api/authority") }
    package func openEnrolment(_ request: EnrolmentRequest) async throws -> Enrolment {
        try await post("/api/enrolments", request)
    }
    package func enrolment(_ id: String) async throws -> Enrolment {
        try await get("/api/enrolments/\(Self.segment(id))")
    }
    package func typedCode(ofEnrolment id: String) async throws -> TypedCode {
        try await post("/api/enrolments/\(Self.segment(id))/typed-code")
    }
    package func findCheck(_ entry: TypedCodeEntry) async throws -> FoundCheck {
        try await post("/api/typed-codes", entry)
    }
    package func claimEnrolment(_ id: String, _ claim: EnrolmentClaim) async throws -> Enrolment {
        try await post("/api/enrolments/\(Self.segment(id))/claim", claim)
    }
    package func answerEnrolment(_ id: String, _ answer: EnrolmentAnswer) async throws -> Enrolment {
        try await post("/api/enrolments/\(Self.segment(id))/answer", answer)
    }
    package func completeEnrolment(_ id: String, _ completion: EnrolmentCompletion) async throws -> DocumentInfo {
        try await post("/api/enrolments/\(Self.segment(id))/complete", completion)
    }
    package func abandonEnrolment(_ id: String) async throws -> Enrolment {
        try await post("/api/enrolments/\(Self.segment(id))/abandon")
    }
}

/// Requests, documents, links and the log.
extension ServerClient {
    package func catalogue() async throws -> [DocumentType] { try await list("/api/catalogue") }
    package func ask(_ request: NewDocumentRequest) async throws -> DocumentRequest {
        try await post("/api/requests", request)
    }
    package func requests(_ state: DocumentRequest.State? = nil) async throws -> [DocumentRequest] {
        try await list("/api/requests" + (state.map { "?show=\($0.rawValue)" } ?? ""))
    }
    package func request(id: String) async throws -> DocumentRequest {
        try await get("/api/requests/\(Self.segment(id))")
    }
    package func acceptRequest(_ id: String) async throws -> DocumentRequest {
        try await post("/api/requests/\(Self.segment(id))/accept")
    }
    package func assignRequest(_ id: String, _ assignment: Assignment) async throws -> DocumentRequest {
        try await post("/api/requests/\(Self.segment(id))/assign", assignment)
    }
    package func cancelRequest(_ id: String, _ reason: Reason) async throws -> DocumentRequest {
        try await post("/api/requests/\(Self.segment(id))/cancel", reason)
    }
    package func prepareRequest(_ id: String) async throws -> IssuancePlan {
        try await post("/api/requests/\(Self.segment(id))/prepare")
    }
    package func issueRequest(_ id: String, _ issuance: Issuance) async throws -> DocumentInfo {
        try await post("/api/requests/\(Self.segment(id))/issue", issuance)
    }
    package func documents(issued: Bool = false) async throws -> [DocumentInfo] {
        try await list("/api/documents" + (issued ? "?issued=true" : ""))
    }
    package func documentContent(_ id: String) async throws -> Bytes {
        try await bytes("/api/documents/\(Self.segment(id))/content", limit: Self.documentAnswer)
    }
    package func deleteDocument(_ id: String) async throws -> Acknowledgement {
        try await delete("/api/documents/\(Self.segment(id))")
    }
    package func revokeDocument(_ id: String, _ reason: Reason) async throws -> Acknowledgement {
        try await post("/api/documents/\(Self.segment(id))/revoke", reason)
    }
    package func share(_ share: NewShare) async throws -> Share { try await post("/api/shares", share) }
    package func shares() async throws -> [Share] { try await list("/api/shares") }
    package func stopShare(_ id: String) async throws { try await delete("/api/shares/\(Self.segment(id))") }
    package func openShare(_ id: String, _ opening: ShareOpening) async throws -> SharedPresentation {
        try await post("/api/shares/\(Self.segment(id))/open", opening, limit: Self.documentAnswer)
    }
    package func logged() async throws -> [LoggedEntry] { try await list("/api/log/mine") }
    package func logSettings() async throws -> LogSettings { try await get("/api/log/settings") }
    package func setLogPolicy(_ request: LogPolicyRequest) async throws -> Acknowledgement {
        try await post("/api/log/policy", request)
    }
    /// The log's signed checkpoint.
    package func checkpoint() async throws -> Bytes { try await bytes("/log/checkpoint", limit: 1 << 16) }
}
