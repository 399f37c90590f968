import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Server

/// Bodies that are read while they come, in pieces that are worth a write.
@Suite("Bodies in pieces", .timeLimit(.minutes(5)))
struct RequestPiecesTests {
    private func pieces(
        _ parts: [Int], length: Int? = nil, type: String = "application/octet-stream"
    ) throws
        -> RequestPieces
    {
        var fields: HTTPFields = [.contentType: type]
        if let length { fields[.contentLength] = "\(length)" }
        let head = HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/", headerFields: fields)
        let stream = AsyncStream { continuation in
            for (number, count) in parts.enumerated() {
                continuation.yield(ByteBuffer(repeating: UInt8(number), count: count))
            }
            continuation.finish()
        }
        return try RequestPieces(
            Request(head: head, body: RequestBody(asyncSequence: stream)), limit: .part,
            limits: TimeLimits(clock: ManualClock().clock))
    }

    @Test("small parts are put together, in their order, and the last piece is what is left")
    func gathered() async throws {
        let sizes = try await pieces(Array(repeating: 400_000, count: 5)).read { next in
            var sizes: [Int] = []
            while let piece = try await next() {
                #expect(piece.first == UInt8(3 * sizes.count))
                sizes.append(piece.count)
            }
            let after = try await next()
            #expect(after == nil)
            return sizes
        }
        #expect(sizes == [1_200_000, 800_000])
    }

    @Test("a body is refused at the first byte beyond the limit, one that says so before its first")
    func limits() async throws {
        let most = Limits.Body.part.rawValue
        #expect(try await pieces([most - 1, 1]).collect().count == most)
        await #expect(throws: Problem.self) { try await pieces([most, 1]).collect() }
        #expect(throws: Problem.self) { try pieces([], length: most + 1) }
        #expect(throws: Problem.self) { try pieces([1], type: "text/plain") }
        #expect(try await pieces([]).collect().isEmpty)
    }
}

extension RequestPieces {
    /// All of it.
    func collect() async throws -> [UInt8] {
        try await read { next in
            var bytes: [UInt8] = []
            while let piece = try await next() { bytes += piece }
            return bytes
        }
    }
}
