import HandSignatures

/// Why an act at the desk is refused.
enum HandSignatureError: Error, Equatable {
    case clientNotFound
    case documentNotFound
    case signingNotFound
    case handoverNotFound
    case handoverOver
    /// A member of the request, and how it should be.
    case invalid(String)
    /// The identity number is another client's.
    case numberTaken
    /// Signature number `place` of a list (from 1) cannot be compared, with words for the signer.
    case badSignature(place: Int, words: String)
    /// Signatures (from 1) that are not like the others.
    case unlike([Int])
    /// Signature (from 1) of a second visit that is not like those of the first.
    case unlikeSitting(Int)
    /// The check signature is not like the five.
    case checkFailed
    /// A signature was made from one that was seen before.
    case replayed
    /// Pens and fingers are not compared with one another, and mice not at all.
    case otherTool
    case noModel
    case noForensicKey
    case noDeskSigner
    /// Another person has changed the document since.
    case otherVersion(Int64)
    /// What would be signed is not what was shown.
    case otherDocument
    /// The client has been re-enrolled since.
    case otherTemplate
    case notAllowed(String)
    case tooManyAttempts
    case tooMany(String)
    case secondSittingDone
    /// The second visit may be at this time, in seconds since 1970, or later.
    case secondSittingTooEarly(from: Int64)
    case notDecided
    /// Nobody has confirmed the transaction, so there is nothing to copy.
    case notConfirmed
    /// The ticket of the document that was shown is missing, used, over, or of something else.
    case badTicket
    /// The ticket was given to a phone, which has sent another capture.
    case otherCapture
    /// The client was erased, and with them what proved the transaction.
    case evidenceErased
    case notAnOperator
    case blockedAlready
}

extension HandSignatureError {
    /// A capture that cannot be compared, with its place in the list.
    init(_ error: TemplateError, place: Int) {
        switch error {
        case .capture(let capture): self = .badSignature(place: place, words: "\(capture.words)")
        case .mixedTools: self = .otherTool
        case .replayed: self = .replayed
        case .wrongCount: self = .invalid("signatures: not as many as asked for.")
        case .malformed: self = .badSignature(place: place, words: "It cannot be read.")
        }
    }
}
