package import Interface

/// Requests for documents, on both sides.
extension WalletClient {
    /// What can be asked for.
    package func catalogue() async throws -> [DocumentType] { try await server.catalogue() }
    /// Asks for a document.
    package func request(type: String, note: String) async throws -> DocumentRequest {
        try await session().ask(NewDocumentRequest(type: type, note: note))
    }
    /// A member's own requests; all of them for an administrator.
    package func requests(_ state: DocumentRequest.State? = nil) async throws -> [DocumentRequest] {
        try await session().requests(state)
    }
    /// Takes a pending request.
    package func accept(_ id: String) async throws -> DocumentRequest { try await session().acceptRequest(id) }
    /// Hands a request to another administrator.
    package func assign(_ id: String, to username: String) async throws -> DocumentRequest {
        try await session().assignRequest(id, Assignment(username: username))
    }
    /// Cancels a request: the member's own, or an administrator declines.
    ///
    /// The member reads the reason.
    package func cancel(_ id: String, reason: String) async throws -> DocumentRequest {
        try await session().cancelRequest(id, Reason(reason: reason))
    }
}
