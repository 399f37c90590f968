import Interface

extension TrustEvent.Kind {
    /// What documents write into the log.
    static let ofDocuments: [Self] = [
        .memberIdentified, .documentIssued, .documentRevoked, .documentDeleted,
    ]

    static let memberIdentified = Self("member.identified")
    package static let documentIssued = Self("document.issued")
    static let documentRevoked = Self("document.revoked")
    static let documentDeleted = Self("document.deleted")
}

extension LiveEvent.Kind {
    /// What pages are told about documents.
    static let ofDocuments: [Self] = [.document, .enrolment, .request]

    /// A document: issued, revoked.
    static let document = Self("document")
    /// A check of a person's identity, face to face.
    static let enrolment = Self("enrolment")
    /// A request for a document.
    static let request = Self("request")
}
