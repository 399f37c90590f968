import AsyncHTTPClient
import Encodings
package import Interface
package import NIOCore
import NIOHTTP1

/// What an open vault asks of its server: a real one over HTTP, or one that a test plays.
package protocol VaultServer: Sendable {
    /// A page of what changed in a compartment.
    func vaultNodes(of compartment: String, after: String) async throws -> VaultNodes
    /// Changes a compartment: all of it, or nothing.
    func changeVault(_ compartment: String, _ change: VaultChange) async throws -> VaultChanged
    /// Begins an upload.
    func beginVaultUpload(_ upload: NewVaultUpload) async throws -> VaultUpload
    /// Which parts of an upload are there.
    func vaultUpload(_ id: String) async throws -> VaultUpload
    /// Sends a part.
    func putVaultPart(_ number: Int64, of id: String, _ bytes: ByteBuffer) async throws
    /// Removes an upload that nothing will use.
    func removeVaultUpload(_ id: String) async throws
    /// Gives the bytes of a content from some place on, as they come.
    func vaultContent(
        _ id: String, from offset: UInt64, _ take: @Sendable (ByteBuffer) async throws -> Void
    ) async throws
}

extension ServerClient: VaultServer {
    /// The most records that the server gives at once.
    private static let page = 500

    package func vaultNodes(of compartment: String, after: String) async throws -> VaultNodes {
        let place = try "/api/vault/compartments/\(Self.segment(compartment))/nodes"
        guard after.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"&#%+".utf8.contains($0) }) else {
            throw WalletError.unexpectedAnswer("no cursor")
        }
        return try await get("\(place)?after=\(after)&limit=\(Self.page)")
    }

    package func changeVault(_ compartment: String, _ change: VaultChange) async throws -> VaultChanged {
        try await post("/api/vault/compartments/\(Self.segment(compartment))/changes", change)
    }

    package func beginVaultUpload(_ upload: NewVaultUpload) async throws -> VaultUpload {
        try await post("/api/vault/uploads", upload)
    }

    package func vaultUpload(_ id: String) async throws -> VaultUpload {
        try await get("/api/vault/uploads/\(Self.segment(id))")
    }

    package func putVaultPart(_ number: Int64, of id: String, _ bytes: ByteBuffer) async throws {
        var request = request(.PUT, try "/api/vault/uploads/\(Self.segment(id))/parts/\(number)")
        request.headers.add(name: "content-type", value: "application/octet-stream")
        request.body = .bytes(bytes)
        let response = try await execute(request, timeout: .seconds(280))
        _ = try await Self.collect(response, limit: Self.smallAnswer)
    }

    package func removeVaultUpload(_ id: String) async throws {
        try await delete("/api/vault/uploads/\(Self.segment(id))")
    }

    package func vaultContent(
        _ id: String, from offset: UInt64, _ take: @Sendable (ByteBuffer) async throws -> Void
    ) async throws {
        var request = request(.GET, try "/api/vault/contents/\(Self.segment(id))")
        if offset > 0 { request.headers.add(name: "range", value: "bytes=\(offset)-") }
        let response = try await execute(request, timeout: .hours(24))
        guard response.status == (offset > 0 ? .partialContent : .ok) else {
            _ = try await Self.collect(response, limit: Self.smallAnswer)
            throw WalletError.unexpectedAnswer("status \(response.status.code) for a part of a file")
        }
        let expected = "bytes \(offset)-"
        if offset > 0, response.headers.first(name: "content-range")?.hasPrefix(expected) != true {
            throw WalletError.unexpectedAnswer("another part of a file than asked for")
        }
        var pieces = response.body.makeAsyncIterator()
        while let piece = try await next(&pieces) { try await take(piece) }
    }

    /// The next piece of an answer.
    ///
    /// - Throws: `unreachable` if the server hung up.
    private func next(_ pieces: inout HTTPClientResponse.Body.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await pieces.next()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw WalletError.unreachable(address.text)
        }
    }
}
