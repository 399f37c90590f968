/// Why a picture gives no text.
public enum QRReadingError: Error, Equatable, Sendable {
    /// A side is not 1 to 16,384 pixels long, there are more than 2²⁶ pixels, or the bytes are not width times height.
    case badPicture
    /// The picture shows no QR code: no three finder patterns form a symbol.
    case notFound
    /// The picture shows a code, but more of it is unreadable than its error correction repairs.
    case damaged
    /// The symbol was read without error, but its content breaks the standard.
    case malformed
    /// The text is spread over several symbols (structured append); this one is number `position`, from 1 to `count`.
    case partOfSeveral(position: Int, count: Int)
}
