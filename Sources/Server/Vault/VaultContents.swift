import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Synchronization

/// Hands contents out, whole or in part, as fast as they are read.
struct VaultContents: Sendable {
    let environment: Environment

    /// The answer to a request for a content, with its field `Range`.
    func response(_ id: String, _ call: Call, _ principal: Principal) async throws -> Response {
        let now = environment.now()
        let found = try await environment.database.read { transaction in
            try Self.find(id, principal, in: transaction, now: now)
        }
        guard let (size, parts) = found else { throw VaultError.notFound }
        let tag = "\"\(id)\""
        let isSame = call.request.headers[.ifRange].map { $0 == tag } ?? true
        var headers: HTTPFields = [
            .contentType: "application/octet-stream", .cacheControl: "private, no-store", .acceptRanges: "bytes",
            .eTag: tag,
        ]
        switch ByteRange(isSame ? call.request.headers[.range] : nil, size: size) {
        case .all: return Response(status: .ok, headers: headers, body: try await body(parts, 0..<size))
        case .none: throw VaultError.invalidRange(size)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Response(status: .partialContent, headers: headers, body: try await body(parts, range))
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
    private func body(_ parts: [VaultContentStore.Part], _ range: Range<Int64>) async throws -> ResponseBody {
        let blobs = environment.blobs
        var all = Pieces(parts, range, isSmall: blobs.readsPieces)
        let start = all.next()
        let first = Mutex(try await start?.read(blobs) ?? [])
        return ResponseBody(contentLength: range.count) { [rest = all] writer in
            var pieces = rest
            // Nobody holds them while the others are sent.
            var bytes = first.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
            while let piece = pieces.next() {
                if blobs.readsPieces {
                    // The next piece is read while this one is sent.
                    async let following = piece.read(blobs)
                    try await writer.write(ByteBuffer(bytes: bytes))
                    bytes = try await following
                } else {
                    try await writer.write(ByteBuffer(bytes: bytes))
                    bytes = try await piece.read(blobs)
                }
            }
            try await writer.write(ByteBuffer(bytes: bytes))
            try await writer.finish(nil)
        }
    }

    /// What is read at once, one after the other: small pieces where the store gives them, else whole parts.
    private struct Pieces: IteratorProtocol {
        let parts: [VaultContentStore.Part]
        let end: Int64
        let length: Int64
        private var index = 0
        /// Where the part begins, and what comes next.
        private var start: Int64 = 0
        private var position: Int64

        init(_ parts: [VaultContentStore.Part], _ range: Range<Int64>, isSmall: Bool) {
            self.parts = parts
            end = range.upperBound
            length = isSmall ? Limits.vaultPiece : .max
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
        func read(_ blobs: any BlobStore) async throws -> [UInt8] {
            guard let bytes = try await blobs.read(blob, from: offset, count: count), bytes.count == count else {
                throw VaultError.notFound
            }
            return bytes
        }
    }
}
