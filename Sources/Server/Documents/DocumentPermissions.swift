import Interface

extension Permission {
    /// What accounts may do about identity, requests and documents.
    static let ofDocuments = [
        proveIdentity, requestDocuments, holdDocuments, shareDocuments, identifyMembers, readRequests, handleRequests,
        signDocuments, revokeDocuments,
    ]

    static let proveIdentity = Permission(
        "prove_identity", [.operator, .member],
        "open a face-to-face check of their own identity")

    static let requestDocuments = Permission(
        "request_documents", [.operator, .member],
        "ask for a document of a type from the catalogue")

    static let holdDocuments = Permission(
        "hold_documents", [.operator, .member],
        "list, open and delete the documents issued to them")

    static let shareDocuments = Permission(
        "share_documents", [.operator, .member],
        "make, list and stop links to presentations of their own documents")

    static let identifyMembers = Permission(
        "identify_members", [.administrator],
        "check a person face to face and sign the identity credential")

    static let readRequests = Permission(
        "read_requests", [.owner, .administrator],
        "see the requests for documents")

    static let handleRequests = Permission(
        "handle_requests", [.administrator],
        "accept, assign and cancel requests for documents")

    static let signDocuments = Permission(
        "sign_documents", [.administrator],
        "sign documents and send them, sealed, to their holders")

    static let revokeDocuments = Permission(
        "revoke_documents", [.owner, .administrator],
        "see the envelopes of issued documents and revoke documents")
}
