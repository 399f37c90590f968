public import Encodings

/// Why a part was not added.
public enum PartError: Error, Equatable, Sendable {
    /// The text is no part.
    case notAPart
    /// It is of another message.
    case foreign
    /// It is there already.
    case duplicate
    /// It says it is one that is there already, and has another piece or another length.
    case conflicting
    /// All parts were there, and are not the message. The collector begins again.
    case damaged
}

/// Puts a message together from its parts, in any order that a camera sees them.
///
/// The first part says which message it is. Parts of other messages are refused, so that a second screen in view, or a
/// sticker, mixes nothing in.
public struct PartCollector: Sendable {
    /// SHA-256 of the message, as the first part has it.
    private var digest: Bytes = []
    /// By index, as many as the first part says; empty while missing, which no piece is.
    private var pieces: [Bytes] = []

    /// An empty collector.
    public init() {}

    /// How many parts are there.
    public private(set) var received = 0

    /// How many parts the message has; `nil` before the first.
    public var expected: Int? { pieces.isEmpty ? nil : pieces.count }

    /// Adds the text of a QR code.
    ///
    /// - Returns: the message, if it is whole now.
    /// - Throws: why the part was not added. A duplicate is nothing to tell anybody: an animation repeats itself.
    public mutating func add<Suite: CryptoSuite>(_ text: Bytes, suite: Suite) throws(PartError) -> Bytes? {
        guard let part = try? ApprovalPart.parse(text) else { throw .notAPart }
        if pieces.isEmpty {
            digest = part.digest
            pieces = [Bytes](repeating: [], count: part.count)
        }
        guard part.digest == digest, part.count == pieces.count else { throw .foreign }
        let known = pieces[part.index - 1]
        guard known.isEmpty else { throw known == part.piece ? .duplicate : .conflicting }
        guard hasRightLength(part) else { throw .conflicting }
        pieces[part.index - 1] = part.piece
        received += 1
        guard received == part.count else { return nil }
        var message: Bytes = []
        message.reserveCapacity(part.count * pieces[0].count)
        for piece in pieces { message += piece }
        guard suite.sha256(message) == part.digest else {
            self = PartCollector()
            throw .damaged
        }
        return message
    }

    /// Every piece but the last has the same length, and the last is not longer.
    private func hasRightLength(_ part: ApprovalPart) -> Bool {
        for (index, piece) in pieces.enumerated() where !piece.isEmpty {
            let isLast = index + 1 == part.count
            if part.index == part.count {
                guard part.piece.count <= piece.count else { return false }
            } else {
                guard isLast ? piece.count <= part.piece.count : piece.count == part.piece.count else { return false }
            }
        }
        return true
    }
}
