import AsyncHTTPClient
package import Encodings
import Interface
import NIOCore
import NIOHTTP1

/// The HTTP interface of one server, typed.
///
/// Every answer has a limit, every call a deadline; redirects are refused.
package struct ServerClient: Sendable {
    /// Most answers, in bytes.
    package static let smallAnswer = 1 << 20
    /// Listings with receipts.
    package static let largeAnswer = 16 << 20
    /// Sealed documents.
    static let documentAnswer = 24 << 20

    /// Where the server is.
    package let address: ServerAddress
    let token: SessionToken?
    /// Shows the server that the person is there, when it asks for that.
    let confirm: (@Sendable () async throws -> Void)?
    /// The address that a proxy would name: for load from one machine that represents many.
    private let forwardedFor: String?
    private let http: HTTPClient

    /// One for the whole program: connections are shared, and it lives as long as the program.
    static let shared: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .seconds(60)))
        configuration.httpVersion = .http1Only
        // Each stream of live updates keeps one; a program may hold many wallets.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_024
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// A client without a session.
    ///
    /// - Parameter forwardedFor: sent as `X-Forwarded-For`, as proxies do.
    package init(address: ServerAddress, forwardedFor: String? = nil) {
        self.init(address: address, token: nil, confirm: nil, forwardedFor: forwardedFor, http: Self.shared)
    }

    /// A client in a session.
    init(address: ServerAddress, token: SessionToken?) {
        self.init(address: address, token: token, confirm: nil, forwardedFor: nil, http: Self.shared)
    }

    /// A client on the caller's connections, which may trust other roots.
    init(address: ServerAddress, http: HTTPClient) {
        self.init(address: address, token: nil, confirm: nil, forwardedFor: nil, http: http)
    }

    private init(
        address: ServerAddress, token: SessionToken?, confirm: (@Sendable () async throws -> Void)?,
        forwardedFor: String?, http: HTTPClient
    ) {
        self.address = address
        self.token = token
        self.confirm = confirm
        self.forwardedFor = forwardedFor
        self.http = http
    }

    /// The same client acting in a session.
    ///
    /// - Parameter confirm: called when an act needs a user verification; the act is then asked for again.
    package func with(
        token: SessionToken?, confirm: (@Sendable () async throws -> Void)? = nil
    ) -> ServerClient {
        ServerClient(address: address, token: token, confirm: confirm, forwardedFor: forwardedFor, http: http)
    }

    // MARK: Calls

    package func get<Answer: Decodable>(_ path: String, limit: Int = largeAnswer) async throws -> Answer {
        try Self.decode(try await send(.GET, path, body: nil, limit: limit))
    }

    package func post<Answer: Decodable>(
        _ path: String, _ body: some Encodable, limit: Int = smallAnswer
    ) async throws -> Answer {
        try Self.decode(try await send(.POST, path, body: try InterfaceCoding.encode(body), limit: limit))
    }

    package func post<Answer: Decodable>(_ path: String) async throws -> Answer {
        try Self.decode(try await send(.POST, path, body: nil, limit: Self.smallAnswer))
    }

    /// Posts something that is answered with nothing.
    package func postNothing(_ path: String, _ body: some Encodable) async throws {
        _ = try await send(.POST, path, body: try InterfaceCoding.encode(body), limit: Self.smallAnswer)
    }

    func put<Answer: Decodable>(_ path: String) async throws -> Answer {
        try Self.decode(try await send(.PUT, path, body: nil, limit: Self.smallAnswer))
    }

    package func put<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws -> Answer {
        try Self.decode(
            try await send(.PUT, path, body: try InterfaceCoding.encode(body), limit: Self.smallAnswer))
    }

    /// Sends bytes as they are.
    package func put(_ bytes: Bytes, to path: String) async throws {
        var request = request(.PUT, path, body: bytes)
        request.headers.replaceOrAdd(name: "content-type", value: "application/octet-stream")
        _ = try await Self.collect(try await execute(request, timeout: .seconds(280)), limit: Self.smallAnswer)
    }

    func patch<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws -> Answer {
        try Self.decode(
            try await send(.PATCH, path, body: try InterfaceCoding.encode(body), limit: Self.smallAnswer))
    }

    package func delete<Answer: Decodable>(_ path: String) async throws -> Answer {
        try Self.decode(try await send(.DELETE, path, body: nil, limit: Self.smallAnswer))
    }

    package func delete(_ path: String) async throws {
        _ = try await send(.DELETE, path, body: nil, limit: Self.smallAnswer)
    }

    /// The bytes of a file.
    package func bytes(_ path: String, limit: Int) async throws -> Bytes {
        try await send(.GET, path, body: nil, limit: limit)
    }

    /// One segment of a path, which must look like an identifier: nothing that leads elsewhere.
    static func segment(_ id: String) throws(WalletError) -> String {
        let isSafe = id.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        guard isSafe, (1...128).contains(id.utf8.count) else { throw .notFound(id) }
        return id
    }

    // MARK: The wire

    private func send(_ method: HTTPMethod, _ path: String, body: Bytes?, limit: Int) async throws -> Bytes {
        do {
            return try await sendOnce(method, path, body: body, limit: limit)
        } catch let error as ProblemError where error.slug == "confirmation-required" {
            // Nothing was done yet, so asking again is safe.
            guard let confirm else { throw error }
            try await confirm()
            return try await sendOnce(method, path, body: body, limit: limit)
        }
    }

    private func sendOnce(_ method: HTTPMethod, _ path: String, body: Bytes?, limit: Int) async throws -> Bytes {
        let response = try await execute(request(method, path, body: body), timeout: .seconds(90))
        do {
            return try await Self.collect(response, limit: limit)
        } catch let error where !(error is WalletError || error is ProblemError || error is CancellationError) {
            // It hung up in the middle of its answer.
            throw WalletError.unreachable(address.text)
        }
    }

    func request(_ method: HTTPMethod, _ path: String, body: Bytes? = nil) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.text + path)
        request.method = method
        request.headers.add(name: "accept", value: "application/json, */*;q=0.5")
        request.headers.add(name: "user-agent", value: "countersign-wallet")
        if let forwardedFor { request.headers.add(name: "x-forwarded-for", value: forwardedFor) }
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token.text)") }
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return request
    }

    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        do {
            return try await http.execute(request, timeout: timeout)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw WalletError.unreachable(address.text)
        }
    }

    /// The body of a good answer; the error that any other answer is.
    static func collect(_ response: HTTPClientResponse, limit: Int) async throws -> Bytes {
        let status = Int(response.status.code)
        guard !(300..<400).contains(status) else { throw WalletError.redirected }
        let isGood = (200..<300).contains(status)
        let body: Bytes
        do {
            body = Bytes(buffer: try await response.body.collect(upTo: isGood ? limit : smallAnswer))
        } catch is NIOTooManyBytesError {
            throw WalletError.answerTooLarge
        }
        guard !isGood else { return body }
        guard let problem = try? InterfaceCoding.decode(ProblemDetails.self, from: body) else {
            throw WalletError.unexpectedAnswer("status \(status)")
        }
        throw ProblemError(problem: problem)
    }

    private static func decode<Answer: Decodable>(_ bytes: Bytes) throws -> Answer {
        do {
            return try InterfaceCoding.decode(Answer.self, from: bytes)
        } catch {
            throw WalletError.unexpectedAnswer("no \(Answer.self)")
        }
    }
}
