import AsyncHTTPClient
import Encodings
import Foundation
import Interface
import NIOCore
import NIOHTTP1

/// JSON over HTTP with an API key: every answer has a limit, every call a deadline, and redirects are refused.
struct ServiceConnection: Sendable {
    private let server: String
    private let apiKey: String
    /// Most bytes of an answer: a receipt is the longest.
    private static let limit = 1 << 20
    /// Longer than the server lets anybody wait.
    private static let patience: TimeAmount = .seconds(60)

    /// One for the whole program: connections are shared, and it lives as long as the program.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .seconds(60)))
        configuration.httpVersion = .http1Only
        // Each question that is waited for keeps one.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    init(server: String, apiKey: String) throws(ServiceError) {
        let text = server.hasSuffix("/") ? String(server.dropLast()) : server
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil,
            parts.scheme == "https" || parts.scheme == "http" && ["localhost", "127.0.0.1"].contains(host)
        else { throw .unacceptableAddress }
        (self.server, self.apiKey) = (text, apiKey)
    }

    func get<Answer: Decodable>(_ path: String) async throws(ServiceError) -> Answer {
        try await send(.GET, path, nil)
    }

    func post<Answer: Decodable>(_ path: String) async throws(ServiceError) -> Answer {
        try await send(.POST, path, nil)
    }

    func post<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws(ServiceError) -> Answer {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        guard let bytes = try? encoder.encode(body) else { throw .unexpectedAnswer }
        return try await send(.POST, path, Bytes(bytes))
    }

    private func send<Answer: Decodable>(
        _ method: HTTPMethod, _ path: String, _ body: Bytes?
    ) async throws(ServiceError) -> Answer {
        var request = HTTPClientRequest(url: "\(server)/api/service/\(path)")
        request.method = method
        request.headers.add(name: "authorization", value: "Bearer \(apiKey)")
        request.headers.add(name: "user-agent", value: "countersign-service")
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let status: Int
        let retryAfter: Int64?
        let bytes: Data
        do {
            let answer = try await Self.http.execute(request, timeout: Self.patience)
            status = Int(answer.status.code)
            retryAfter = answer.headers.first(name: "retry-after").flatMap { Int64($0) }
            bytes = Data((try await answer.body.collect(upTo: Self.limit)).readableBytesView)
        } catch {
            throw error is NIOTooManyBytesError ? .unexpectedAnswer : .unreachable
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard (200..<300).contains(status) else {
            guard status != 401 else { throw .unauthenticated }
            guard let problem = try? decoder.decode(Problem.self, from: bytes) else { throw .unexpectedAnswer }
            throw .refused(problem.refusal(status, retryAfter))
        }
        guard let value = try? decoder.decode(Answer.self, from: bytes) else { throw .unexpectedAnswer }
        return value
    }

    /// RFC 9457, as the server answers.
    private struct Problem: Decodable {
        let type: String
        let detail: String?
        let error: String?

        func refusal(_ status: Int, _ retryAfter: Int64?) -> Refusal {
            Refusal(
                status: status, kind: type.split(separator: "/").last.map(String.init) ?? "", name: error,
                detail: detail ?? "", retryAfter: retryAfter)
        }
    }
}
