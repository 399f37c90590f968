import Foundation

/// Why an act on documents, status and shared links is refused, beyond what the lifecycles in `Core` say.
enum DocumentError: Error, Equatable {
    case notFound
    case noDevice
    case invalidText
    /// The sealed package is not a JWE, too large, or not what the statement covers.
    case invalidPackage
    /// The administrator's statement does not cover exactly this act.
    case invalidStatement
    case alreadyRevoked
    case alreadyIssued
    case tooManyOpen
    case invalidShare
    case wrongCode
    /// No eight characters as they are made.
    case invalidTypedCode
    /// Characters that find no check: mistyped, used, too old, or the check is over.
    case wrongTypedCode
    /// Another session has typed the characters of this check.
    case typedByAnother
    /// The check was opened on another device.
    case otherDevice
    /// The link expired, was stopped or was opened often enough.
    case linkEnded
    /// The link's key is another one: nothing would open.
    case otherKey
}

/// What words about documents may look like.
enum DocumentRules {
    /// A reason that the person concerned will read.
    static func reason(_ text: String) throws -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Limits.reason.contains(trimmed.utf8.count) else { throw DocumentError.invalidText }
        return trimmed
    }

    /// A note for the administrator; it may be empty.
    static func note(_ text: String) throws -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Limits.note.contains(trimmed.utf8.count) else { throw DocumentError.invalidText }
        return trimmed
    }
}
