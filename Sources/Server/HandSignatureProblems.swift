import Foundation
import Interface
import Verification

extension HandSignatureError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .clientNotFound: Problem(.notFound, "There is no such client.")
        case .documentNotFound: Problem(.notFound, "There is no such document.")
        case .signingNotFound: Problem(.notFound, "There is no such transaction.")
        case .handoverNotFound: Problem(.notFound, "The code is unknown. Scan it again.")
        case .handoverOver: Problem(.gone, "This code was used or has expired. Ask the desk for a new one.")
        case .invalid(let words): Problem(.invalidMember, words)
        case .numberTaken: Problem(.conflict, "There is already a client with this identity number.")
        case .badSignature(let place, let words): Problem(.invalidMember, "signature \(place): \(words)")
        case .unlike(let places):
            Problem(
                .invalidMember,
                "signature \(places.map(String.init).joined(separator: ", ")): not like the others. Take it again.")
        case .unlikeSitting(let place):
            Problem(.conflict, "Signature \(place) is not like those of the first visit. Take all of them again.")
        case .checkFailed:
            Problem(.conflict, "The check signature is not like the five. Take it again, or start over.")
        case .replayed:
            Problem(.conflict, "This movement was seen before, so it is a recording. Sign again.")
        case .otherTool:
            Problem(
                .invalidMember,
                "The signatures were written with different tools. Use the same one each time: the pen, or a finger.")
        case .noModel:
            Problem(.invalidMember, "A mouse cannot be compared. Use a pen or a finger, or hand over to a phone.")
        case .noForensicKey:
            Problem(
                .conflict, "The main administrator must first set a forensic key: desk settings say how it is made.")
        case .noDeskSigner:
            Problem(
                .conflict,
                "The root has not certified this server's key for hand signatures. The server's operator brings the "
                    + "root back for a moment and starts it: docs/keys.md.")
        case .otherVersion(let version):
            Problem(.conflict, "Somebody else has changed the template: it has version \(version) now. Open it again.")
        case .otherDocument:
            Problem(.conflict, "The document has changed since it was shown. Show it again, then sign.")
        case .otherTemplate: SigningError.otherTemplate.problem
        case .notAllowed(let words): Problem(.forbidden, words)
        case .tooManyAttempts:
            Problem(
                .conflict,
                "\(Limits.signingFailures) signatures of this client were refused within an hour. The client can sign again in an hour."
            )
        case .tooMany(let words): Problem(.conflict, words)
        case .secondSittingDone: Problem(.conflict, "The signatures of a second visit were taken already.")
        case .secondSittingTooEarly(let from):
            Problem(
                .conflict,
                "The second sitting is for another visit, \(Limits.secondSittingRest / 3_600) hours after the first at the "
                    + "earliest: it is possible from \(Self.time(from)) on.")
        case .badTicket:
            Problem(
                .conflict,
                "The document must be shown again before it is signed: what was shown was signed already, is too old, or "
                    + "is for another page, client or document.")
        case .otherCapture:
            Problem(
                .conflict, "The phone has sent another signature for this document. Show the document again, then sign."
            )
        case .evidenceErased:
            Problem(.gone, "The client was erased, and with them the evidence of this transaction.")
        case .notDecided: Problem(.conflict, "The transaction has not been decided.")
        case .notConfirmed: Problem(.conflict, "Only what was confirmed can be copied. Confirm the transaction first.")
        case .notAnOperator: Problem(.conflict, "Only operators and administrators can be blocked.")
        case .blockedAlready: Problem(.conflict, "The account is already blocked or unblocked. Load the list again.")
        }
    }

    /// Seconds since 1970 as people write them.
    private static func time(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(
            .iso8601.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
                .timeSeparator(.colon).dateTimeSeparator(.space)) + " UTC"
    }
}

extension SigningError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notYours: Problem(.forbidden, "Only the operator who took the signature can decide.")
        case .alreadyDecided: Problem(.conflict, "That was decided already.")
        case .lapsed: Problem(.gone, "Nobody decided in time. Have the document signed again.")
        case .otherTemplate:
            Problem(
                .conflict, "This client was re-enrolled while you were working. Have the document signed again.")
        }
    }
}
