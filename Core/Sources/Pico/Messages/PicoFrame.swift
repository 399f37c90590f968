public import Encodings

/// One message in the body of one POST, or on a stream: its length in four bytes, big-endian, and the message (section 3.2).
///
/// jpico splits messages of more than 8,188 bytes over two bodies. None of this protocol is so long, so a split message is
/// refused (section 12, number 6).
public enum PicoFrame {
    /// The message with its length before it.
    public static func encode(_ message: Bytes) -> Bytes { PicoElements.length(message.count) + message }

    /// The message of a body.
    ///
    /// - Throws: `malformed` if the length is missing, zero or not that of the rest, `tooLarge` above 64 KiB.
    public static func decode(_ body: Bytes) throws(PicoError) -> Bytes {
        guard body.count <= 4 + PicoLimits.message else { throw .tooLarge }
        var elements = PicoElements(body)
        let message = try elements.next(PicoLimits.message)
        try elements.finish()
        guard !message.isEmpty else { throw .malformed }
        return message
    }
}
