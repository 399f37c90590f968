import HTTPTypes
import Hummingbird
import NIOCore
import Storage

/// Hands contents out, whole or in part, as fast as they are read.
struct VaultContents: Sendable {
    let environment: Environment
    /// Of downloads under way: each holds some pieces for as long as its reader takes.
    private let places = Places(Limits.vaultDownloads, ofEach: Limits.vaultDownloadsPerAccount)

    init(environment: Environment) { self.environment = environment }

    /// The answer to a request for a content, with its field `Range`.
    func response(_ id: String, _ call: Call, _ principal: Principal) async throws -> Response {
        let now = environment.now()
        let found = try await environment.database.read { transaction in
            try Self.find(id, principal, in: transaction, now: now)
        }
        guard let (size, parts) = found else { throw VaultError.notFound }
        guard let place = places.take(for: principal.account) else {
            throw Problem(.busy, "Too many downloads are under way. Try again in a moment.", retryAfter: 2)
        }
        let tag = "\"\(id)\""
        let isSame = call.request.headers[.ifRange].map { $0 == tag } ?? true
        var headers: HTTPFields = [
            .contentType: "application/octet-stream", .cacheControl: "private, no-store", .acceptRanges: "bytes",
            .eTag: tag,
        ]
        switch ByteRange(isSame ? call.request.headers[.range] : nil, size: size) {
        case .all: return Response(status: .ok, headers: headers, body: try await body(parts, 0..<size, place, call))
        case .none: throw VaultError.invalidRange(size)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Response(
                status: .partialContent, headers: headers, body: try await body(parts, range, place, call))
        }
    }

    /// A content that a version has, of a compartment that the account may read; or, for the owner, one in its inbox.
    private static func find(
        _ id: String, _ principal: Principal, in transaction: Transaction, now: Int64
    ) throws -> (size: Int64, parts: [VaultContentStore.Part])? {
        let store = VaultContentStore(transaction: transaction)
        guard let content = try store.find(id) else { return nil }
        let isInInbox = try content.expires != nil && VaultDropStore(transaction: transaction).has(content: id)
        guard content.expires == nil || isInInbox else { return nil }
        _ = try VaultCompartmentStore(transaction: transaction).require(
            content.compartment, isInInbox ? .own : .read, for: principal.account, now: now)
        let parts = try store.parts(id)
        // A backup that was made while the content was removed may have only some.
        guard parts.reduce(0, { $0 + $1.size }) == content.size else { return nil }
        return (content.size, parts)
    }

    /// Reads the first bytes before the head is sent.
    ///
    /// So a store that fails gives a problem. One that fails later has the connection cut.
    private func body(
        _ parts: [VaultContentStore.Part], _ range: Range<Int64>, _ place: Places.Place, _ call: Call
    ) async throws -> ResponseBody {
        let blobs = environment.blobs
        var all = Pieces(parts, range, longest: blobs.readsPieces ? Limits.vaultPiece : .max)
        let first = PieceBuffer()
        try await all.next()?.read(blobs, into: first)
        return ResponseBody.stepwise(contentLength: range.count, to: call) { [rest = all] writer in
            defer { withExtendedLifetime(place) {} }
            if blobs.readsPieces {
                try await Self.sendReadingAhead(first, rest, blobs, to: &writer)
            } else {
                try await Self.send(first, rest, blobs, to: &writer)
            }
        }
    }

    /// Reads each piece while the one before it is sent.
    private static func sendReadingAhead(
        _ first: PieceBuffer, _ rest: Pieces, _ blobs: any BlobStore, to writer: inout StepwiseWriter
    ) async throws {
        var pieces = rest
        // The connection sends one, a second waits for it, and the third takes the next piece.
        var (sent, waiting, free) = (PieceBuffer(), first, PieceBuffer())
        while let piece = pieces.next() {
            let target = free
            async let reading: Void = piece.read(blobs, into: target)
            try await writer.write(waiting.bytes)
            try await reading
            (sent, waiting, free) = (waiting, target, sent)
        }
        try await writer.write(waiting.bytes)
    }

    /// Reads each piece once the one before it is on its way, and keeps none: they may be long.
    private static func send(
        _ first: PieceBuffer, _ rest: Pieces, _ blobs: any BlobStore, to writer: inout StepwiseWriter
    ) async throws {
        var pieces = rest
        try await writer.write(first.take())
        while let piece = pieces.next() {
            let next = PieceBuffer()
            try await piece.read(blobs, into: next)
            try await writer.write(next.take())
        }
    }

    /// What is read at once, one after the other: pieces where the store gives them, else whole parts.
    private struct Pieces: IteratorProtocol {
        let parts: [VaultContentStore.Part]
        let end: Int64
        let length: Int64
        private var index = 0
        /// Where the part begins, and what comes next.
        private var start: Int64 = 0
        private var position: Int64

        init(_ parts: [VaultContentStore.Part], _ range: Range<Int64>, longest: Int64) {
            self.parts = parts
            end = range.upperBound
            length = longest
            position = range.lowerBound
        }

        mutating func next() -> Piece? {
            while index < parts.count {
                let part = parts[index]
                let left = min(start + part.size, end) - position
                if left > 0 {
                    let piece = Piece(blob: part.blob, offset: position - start, count: Int(min(length, left)))
                    position += Int64(piece.count)
                    return piece
                }
                start += part.size
                index += 1
            }
            return nil
        }
    }

    /// Some bytes of a blob.
    private struct Piece {
        let blob: String
        let offset: Int64
        let count: Int

        /// If it has gone by now there is no answer, or the connection is cut: a part never passes for the whole.
        func read(_ blobs: any BlobStore, into buffer: PieceBuffer) async throws {
            let read = try await blobs.read(blob, from: offset, count: count, into: buffer)
            guard read == count else { throw VaultError.notFound }
        }
    }
}
