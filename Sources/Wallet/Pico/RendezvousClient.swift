import AsyncHTTPClient
package import Encodings
import NIOCore
import NIOHTTP1
package import Pico

/// A channel of a rendezvous point over HTTP (Pico protocol, section 3).
///
/// One message is one POST, and the other side's GET returns its bytes. A request for which nobody came goes again until
/// the deadline: after pauses that grow, if the answer came at once. Redirects are refused, and answers have a limit.
package struct RendezvousClient: PicoChannel {
    /// How long it tries again when somebody else seems to use the channel, in milliseconds.
    ///
    /// It may be a request of our own that was given up a moment ago.
    private static let patienceWhenBusy: Int64 = 2_000
    private static let pauseWhenBusy: Int64 = 100
    /// A rendezvous point that says sooner that nobody came has not waited for them, in milliseconds.
    private static let shortestWait: Int64 = 1_000
    private static let firstPause: Int64 = 100
    /// The longest pause, also if a rendezvous point asks for one.
    private static let longestPause: Int64 = 5_000
    /// How long closing may take.
    private static let closingTime = TimeAmount.seconds(2)

    /// The channel.
    package let address: PicoAddress
    private let clock: PicoClock
    private let http: HTTPClient

    /// A channel; nothing is sent yet.
    ///
    /// - Parameter address: of a rendezvous point: `https` or `http`.
    package init(_ address: PicoAddress, clock: PicoClock = .system) {
        self.init(address, clock: clock, http: ServerClient.shared)
    }

    /// A channel on the caller's connections, which may trust other roots.
    init(_ address: PicoAddress, clock: PicoClock, http: HTTPClient) {
        self.address = address
        self.clock = clock
        self.http = http
    }

    package func send(_ message: Bytes, before deadline: Int64) async throws(PicoRunError) {
        let frame = PicoFrame.encode(message)
        guard case .taken = try await exchange(.POST, frame, before: deadline) else { throw .noRendezvous(host) }
    }

    package func receive(before deadline: Int64) async throws(PicoRunError) -> Bytes {
        guard case .data(let frame) = try await exchange(.GET, nil, before: deadline) else {
            throw .noRendezvous(host)
        }
        return try picoStep { () throws(PicoError) in try PicoFrame.decode(frame) }
    }

    /// Whether a rendezvous point answers at the address: before anybody is shown a code that leads there.
    ///
    /// Closes the channel, so ask with a name that nobody uses.
    package func check(before deadline: Int64) async throws(PicoRunError) {
        _ = try await exchange(.DELETE, nil, before: deadline)
    }

    package func close() async {
        // A task of its own: in one that is cancelled nothing is sent any more.
        await Task { [http, request = request(.DELETE, nil)] in
            _ = try? await http.execute(request, timeout: Self.closingTime)
        }.value
    }

    private var host: String { address.host.text }

    /// Sends a request until it is answered.
    private func exchange(
        _ method: HTTPMethod, _ body: Bytes?, before deadline: Int64
    ) async throws(PicoRunError) -> RendezvousAnswer {
        try await clock.run(before: deadline) { () throws(PicoRunError) in
            let start = clock.now()
            var pause = Self.firstPause
            while true {
                let asked = clock.now()
                let reply = try await ask(method, body)
                switch reply {
                case .pause(let time): try await sleep(time)
                case .answer(.timedOut):
                    if clock.now() - asked < Self.shortestWait {
                        try await sleep(pause)
                        pause = min(2 * pause, Self.longestPause)
                    } else {
                        pause = Self.firstPause
                    }
                case .answer(.busy):
                    guard clock.now() - start < Self.patienceWhenBusy else { throw .channelTaken }
                    try await sleep(Self.pauseWhenBusy)
                case .answer(.closed): throw .channelClosed
                case .answer(.tooLarge): throw .refused(.tooLarge)
                case .answer(let answer): return answer
                }
            }
        }
    }

    private enum Reply {
        case answer(RendezvousAnswer)
        /// Too many wait; ask again after so many milliseconds.
        case pause(Int64)
    }

    private func ask(_ method: HTTPMethod, _ body: Bytes?) async throws(PicoRunError) -> Reply {
        let response: HTTPClientResponse
        let bytes: Bytes
        do {
            response = try await http.execute(request(method, body), timeout: .seconds(60))
            bytes = Bytes(buffer: try await response.body.collect(upTo: PicoLimits.message + 4))
        } catch is NIOTooManyBytesError {
            throw .refused(.tooLarge)
        } catch {
            throw Task.isCancelled ? .cancelled : .unreachable(host)
        }
        let status = Int(response.status.code)
        if status == 429 || status == 503 {
            let seconds = response.headers.first(name: "retry-after").flatMap { Int64($0) } ?? 1
            return .pause(min(max(seconds, 1) * 1_000, Self.longestPause))
        }
        let type = Bytes(text: response.headers.first(name: "content-type") ?? "")
        do throws(PicoError) {
            return .answer(try RendezvousAnswer.read(statusCode: status, contentType: type, body: bytes))
        } catch {
            throw .noRendezvous(host)
        }
    }

    private func request(_ method: HTTPMethod, _ body: Bytes?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.text.text)
        request.method = method
        request.headers.add(name: "user-agent", value: "countersign-wallet")
        if let body {
            request.headers.add(name: "content-type", value: "application/octet-stream")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return request
    }

    private func sleep(_ time: Int64) async throws(PicoRunError) {
        do { try await clock.sleep(clock.now() + time) } catch { throw .cancelled }
    }
}
