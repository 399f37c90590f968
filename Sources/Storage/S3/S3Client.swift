import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// The outside dependencies of an object store's client, and its time limits.
package struct S3Timing: Sendable {
    /// Seconds since 1970: requests are signed with it.
    package var now: @Sendable () -> Int64
    /// Waits before the next attempt.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// From 0 to below 1: spreads the attempts of many servers.
    package var random: @Sendable () -> Double
    /// From the beginning of an attempt to its answer's head, and from there to its end, for small requests.
    package var patience: Duration = .seconds(10)

    /// Clock, waiting and randomness.
    package init(
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }
}

/// Requests to a bucket: signed, with limits, and tried again when the failure may pass.
///
/// Everything that is asked for may be done twice without harm.
final class S3Client: Sendable {
    struct Answer: Sendable {
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    /// How often a request is sent before its failure is told.
    static let attempts = 5
    /// No attempt begins later than this after the first.
    private static let lastAttempt: Duration = .seconds(25)
    /// The fewest bytes a second that a connection must carry.
    private static let slowest = 1 << 20

    let place: S3Place
    private let source: S3Credentials.Source
    private let credentials: Mutex<S3Credentials>
    private let timing: S3Timing

    /// One for the whole program: it lives as long as the program.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        // We try again ourselves, and know when to stop.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    init(place: S3Place, credentials: S3Credentials, source: S3Credentials.Source, timing: S3Timing) {
        self.place = place
        self.source = source
        self.credentials = Mutex(credentials)
        self.timing = timing
    }

    /// The answer, or `nil` when there is no such object.
    ///
    /// - Throws: `StorageError.objectStoreFails` after the last attempt, `StorageError.objectStoreRefuses` at once.
    func find(_ request: S3Request) async throws -> Answer? {
        do {
            return try await send(request)
        } catch S3Failure.answered(404, let code, _) where code == "NoSuchKey" || request.method == .HEAD {
            return nil
        } catch let failure as S3Failure {
            throw StorageError(failure, of: request.method.rawValue, at: place)
        }
    }

    /// The answer of a request that finds nothing missing.
    func perform(_ request: S3Request) async throws -> Answer {
        do {
            return try await send(request)
        } catch let failure as S3Failure {
            throw StorageError(failure, of: request.method.rawValue, at: place)
        }
    }

    private func send(_ request: S3Request) async throws -> Answer {
        let start = ContinuousClock.now
        var attempt = 1
        while true {
            let used = credentials.withLock(\.self)
            do {
                return try await sendOnce(request, used)
            } catch let failure as S3Failure {
                let isNew = failure.isAboutCredentials && renewCredentials(after: used)
                guard failure.isPassing || isNew, attempt < Self.attempts, start.duration(to: .now) < Self.lastAttempt
                else { throw failure }
                try await timing.sleep(wait(beforeAttempt: attempt + 1))
                attempt += 1
            }
        }
    }

    /// Half of it fixed, half of it by chance: 0.05 to 0.1 seconds, then twice as long each time.
    private func wait(beforeAttempt attempt: Int) -> Duration {
        .milliseconds(100) * (1 << (attempt - 2)) * (0.5 + 0.5 * timing.random())
    }

    /// Reads the file of credentials again.
    ///
    /// - Parameter used: those that were refused; of several requests at once the first may have read the file already.
    /// - Returns: whether they are others now.
    private func renewCredentials(after used: S3Credentials) -> Bool {
        guard case .file(let path) = source, let found = try? S3Credentials(file: path) else { return false }
        credentials.withLock { $0 = found }
        return used != found
    }

    private func sendOnce(_ request: S3Request, _ credentials: S3Credentials) async throws -> Answer {
        var message = HTTPClientRequest(url: request.url(at: place))
        message.method = request.method
        message.headers = request.signed(
            for: place, credentials, time: timing.now())
        if request.method == .PUT { message.body = .bytes(ByteBuffer(bytes: request.body.bytes)) }
        let response: HTTPClientResponse
        do {
            response = try await Self.http.execute(message, timeout: time(for: request.body.bytes.count))
        } catch let error as HTTPClientError {
            try Task.checkCancellation()
            let timeouts: [HTTPClientError] = [
                .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
                .getConnectionFromPoolTimeout,
            ]
            throw timeouts.contains(error) ? S3Failure.timeout : S3Failure.cut
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw S3Failure.cut
        }
        return try await read(response, of: request)
    }

    private func time(for bytes: Int) -> TimeAmount {
        TimeAmount(timing.patience) + .seconds(Int64(bytes / Self.slowest))
    }

    private func read(_ response: HTTPClientResponse, of request: S3Request) async throws -> Answer {
        let status = Int(response.status.code)
        let isGood = (200..<300).contains(status)
        let announced = response.headers.first(name: "content-length").flatMap(Int.init)
        guard isGood else {
            throw S3Failure.answered(
                status: status, code: await errorCode(response.body),
                region: response.headers.first(name: "x-amz-bucket-region").flatMap { S3Place.isRegion($0) ? $0 : nil })
        }
        let limit = request.answerLimit
        guard request.method == .HEAD || announced ?? 0 <= limit else { throw S3Failure.tooLarge }
        let body = try await collect(response.body, upTo: limit, within: time(for: announced ?? limit))
        if request.method == .GET {
            // A body that ends early is an error of the HTTP client's only when it is told its length.
            guard announced == nil || body.count == announced else { throw S3Failure.damaged }
            let checksum = response.headers.first(name: "x-amz-checksum-sha256")
            guard request.key.isEmpty || checksum == nil || checksum == S3Body(body).checksum else {
                throw S3Failure.damaged
            }
        }
        return Answer(headers: response.headers, body: body)
    }

    /// The bytes of a body, unless they take too long.
    private func collect(
        _ body: HTTPClientResponse.Body, upTo limit: Int, within time: TimeAmount
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                do {
                    return Array((try await body.collect(upTo: limit)).readableBytesView)
                } catch is NIOTooManyBytesError {
                    throw S3Failure.tooLarge
                } catch {
                    try Task.checkCancellation()
                    throw S3Failure.cut
                }
            }
            group.addTask {
                try await Task.sleep(for: .nanoseconds(time.nanoseconds))
                throw S3Failure.timeout
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    /// The code of an error's body: letters and digits only, since it is shown to operators; empty when there is none.
    private func errorCode(_ body: HTTPClientResponse.Body) async -> String {
        let bytes = try? await collect(body, upTo: S3Request.smallAnswer, within: time(for: 0))
        guard let root = try? SmallXML(bytes ?? []), root.name == "Error", let code = root.child("Code")?.text,
            code.utf8.count <= 64, code.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 })
        else { return "" }
        return code
    }
}
