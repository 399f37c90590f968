/// Why a text is not the code that two devices show each other.
public enum CodeError: Error, Equatable, Sendable {
    /// Longer than any code.
    case tooLong
    /// The text is neither the bare form nor a link to the page that reads it.
    case unknownForm
    /// The text is not base64url of canonical JSON: a character is wrong or missing.
    case malformed
    /// A part is missing, unknown or of another length.
    case unexpectedPart
    /// The link leads to another server than the code is for.
    case otherServer
}
