import Hummingbird
import NIOCore

/// A body of bytes that nobody has read yet.
struct RequestPieces: Sendable {
    private let request: Request
    private let limit: Limits.Body
    private let limits: TimeLimits
    private let place: LargeBodies.Place?

    /// About so many bytes are handed over at a time.
    private static let piece = 1 << 20
    /// With what comes of the next part of the body, so that memory need not be taken twice.
    private static let most = piece + piece / 4

    /// The body of a request that is declared `application/octet-stream`.
    ///
    /// - Parameter place: taken as soon as so much has come that it has to have one.
    /// - Throws: `Problem`: another media type, or longer than the limit by its own account.
    init(
        _ request: Request, limit: Limits.Body, limits: TimeLimits, place: LargeBodies.Place? = nil
    ) throws {
        guard request.headers[.contentType]?.lowercased() == "application/octet-stream" else {
            throw Problem(
                .unsupportedMediaType, "Send the bytes as they are, with 'Content-Type: application/octet-stream'.")
        }
        (self.request, self.limit, self.limits, self.place) = (request, limit, limits, place)
        if let length = declaredLength, length > limit.rawValue { throw tooLarge }
    }

    /// How many bytes there are by the request's own account.
    var declaredLength: Int? { request.headers[.contentLength].flatMap { Int($0) } }

    private var tooLarge: Problem { Problem(.tooLarge, "The body may have at most \(limit.rawValue) bytes.") }

    /// Reads the body while it comes.
    ///
    /// - Parameter body: is given a function for the next bytes, which gives `nil` after the last, and throws a `Problem`
    ///   at the first byte beyond the limit.
    /// - Throws: what `body` throws; `Problem` `requestTimeout` if it takes too long or does not go on coming, `busy` if
    ///   there is no place for it.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (_ next: () async throws -> [UInt8]?) async throws -> Value
    ) async throws -> Value {
        try await limits.run(reading: limit) { pace in
            var parts = request.body.makeAsyncIterator()
            var left = limit.rawValue
            var isOver = false
            return try await body {
                pace.begin()
                defer { pace.rest() }
                var piece: [UInt8] = []
                while !isOver, piece.count < Self.piece {
                    guard let part = try await parts.next() else {
                        isOver = true
                        break
                    }
                    pace.move(part.readableBytes)
                    left -= part.readableBytes
                    guard left >= 0 else { throw tooLarge }
                    if limit.rawValue - left > Limits.bodyWithoutPlace {
                        try place?.take()
                        if let declaredLength { piece.reserveCapacity(max(0, min(declaredLength, Self.most))) }
                    }
                    piece.append(contentsOf: part.readableBytesView)
                }
                return piece.isEmpty ? nil : piece
            }
        }
    }
}
