import HTTPTypes
import Hummingbird
import NIOCore
import Storage

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
        case .all: return Response(status: .ok, headers: headers, body: body(parts, 0..<size))
        case .none: throw VaultError.invalidRange(size)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Response(status: .partialContent, headers: headers, body: body(parts, range))
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

    private func body(_ parts: [VaultContentStore.Part], _ range: Range<Int64>) -> ResponseBody {
        let blobs = environment.blobs
        return ResponseBody(contentLength: range.count) { writer in
            var start: Int64 = 0
            for part in parts {
                let wanted = range.clamped(to: start..<start + part.size)
                if !wanted.isEmpty {
                    let inside = wanted.lowerBound - start..<wanted.upperBound - start
                    let length = blobs.readsPieces ? Limits.vaultPiece : part.size
                    for offset in stride(from: inside.lowerBound, to: inside.upperBound, by: Int(length)) {
                        let count = Int(min(length, inside.upperBound - offset))
                        // If it has gone by now the connection is cut: a part never passes for the whole.
                        guard let bytes = try await blobs.read(part.blob, from: offset, count: count),
                            bytes.count == count
                        else { throw VaultError.notFound }
                        try await writer.write(ByteBuffer(bytes: bytes))
                    }
                }
                start += part.size
            }
            try await writer.finish(nil)
        }
    }
}
