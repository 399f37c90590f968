import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An object store in memory, on a port of 127.0.0.1, that fails as it is told.
///
/// It has one bucket, checks no signature, and answers PUT, GET, HEAD, DELETE and ListObjectsV2 in path style.
package final class FaultyObjectStore: Sendable {
    /// How a request goes wrong.
    package enum Fault: Sendable, Equatable {
        /// An answer with this status and this code in its body; nothing is done.
        case answer(Int, code: String)
        /// The connection is closed instead of an answer; nothing is done.
        case hangUp
        /// The request is carried out, and the connection closed instead of an answer.
        case hangUpAfterwards
        /// No answer at all.
        case silence
        /// The second half of the body comes so many milliseconds after the first.
        case slow(milliseconds: Int64)
        /// The connection is closed in the middle of the body.
        case halfBody
        /// The body has one bit changed.
        case flippedBit
    }

    /// An object with what it was stored with.
    package struct Object: Sendable {
        package var bytes: [UInt8]
        package var headers: [String: String]
        package var modified: Int64
    }

    /// Requests that go wrong.
    private struct Order {
        let fault: Fault
        let method: String?
        let keyPart: String?
        let signer: String?
        var times: Int
    }

    private struct State {
        var objects: [String: Object] = [:]
        var orders: [Order] = []
        var seen: [String] = []
        var time: Int64 = 1_790_000_000
    }

    /// The bucket's name.
    package static let bucket = "faulty"

    private let state = Mutex(State())
    private let pageSize: Int
    private let channel: Mutex<(any Channel)?> = Mutex(nil)

    private init(pageSize: Int) { self.pageSize = pageSize }

    /// Starts one.
    ///
    /// - Parameter pageSize: the most keys in one answer to a listing.
    package static func start(pageSize: Int = 1_000) async throws -> FaultyObjectStore {
        let store = FaultyObjectStore(pageSize: pageSize)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(Conversation(store: store))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        store.channel.withLock { $0 = channel }
        return store
    }

    /// Stops listening.
    package func stop() async throws { try await channel.withLock(\.self)?.close() }

    /// Where it answers.
    package var endpoint: String { "http://127.0.0.1:\(channel.withLock(\.self)?.localAddress?.port ?? 0)" }

    /// Lets the next requests go wrong, or all of them until `heal`.
    ///
    /// - Parameters:
    ///   - method: only these.
    ///   - keyPart: only those whose key has this in it.
    ///   - signer: only those that are signed with this access key.
    package func fail(
        _ fault: Fault, times: Int = .max, method: String? = nil, keyPart: String? = nil, signer: String? = nil
    ) {
        let order = Order(fault: fault, method: method, keyPart: keyPart, signer: signer, times: times)
        state.withLock { $0.orders.append(order) }
    }

    /// Lets nothing more go wrong.
    package func heal() { state.withLock { $0.orders = [] } }

    /// Everything that is stored.
    package var objects: [String: Object] { state.withLock(\.objects) }

    /// Puts something into the bucket, or takes it out, behind everybody's back.
    package func set(_ key: String, _ bytes: [UInt8]?) {
        state.withLock { state in
            state.objects[key] = bytes.map { Object(bytes: $0, headers: [:], modified: state.time) }
        }
    }

    /// The requests so far, as `METHOD KEY`.
    package var seen: [String] { state.withLock(\.seen) }

    /// The store's clock, in seconds since 1970.
    package func setTime(_ time: Int64) { state.withLock { $0.time = time } }

    /// The answer to a request, and how it goes wrong.
    func answer(_ request: HTTPRequestHead, _ body: [UInt8]) -> (Answer, Fault?) {
        let parts = request.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].dropFirst().split(separator: "/", maxSplits: 1).map(String.init)
        let key = path.count == 2 ? path[1] : ""
        return state.withLock { state in
            state.seen.append("\(request.method.rawValue) \(key)")
            let fault = Self.takeFault(request, key, &state.orders)
            switch fault {
            case .answer(let status, let code): return (.error(status, code), nil)
            case .hangUp, .silence: return (.error(500, ""), fault)
            default: break
            }
            guard path.first == Self.bucket else { return (.error(404, "NoSuchBucket"), fault) }
            guard key.isEmpty else { return (Self.object(request, key, body, &state), fault) }
            let query = Listing.query(parts.count == 2 ? parts[1] : "")
            return (Answer(Listing.page(of: state.objects, query, size: pageSize)), fault)
        }
    }

    private static func takeFault(_ request: HTTPRequestHead, _ key: String, _ orders: inout [Order]) -> Fault? {
        let method = request.method.rawValue
        let signature = request.headers.first(name: "authorization") ?? ""
        let place = orders.firstIndex { order in
            order.times > 0 && (order.method ?? method) == method && (order.keyPart.map(key.contains) ?? true)
                && (order.signer.map { signature.contains("Credential=\($0)/") } ?? true)
        }
        guard let place else { return nil }
        if orders[place].times < .max { orders[place].times -= 1 }
        return orders[place].fault
    }

    private static func object(
        _ request: HTTPRequestHead, _ key: String, _ body: [UInt8], _ state: inout State
    ) -> Answer {
        switch request.method {
        case .PUT:
            let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
            state.objects[key] = Object(bytes: body, headers: headers, modified: state.time)
            return Answer([])
        case .DELETE:
            state.objects[key] = nil
            return Answer(status: 204, [])
        default:
            guard let object = state.objects[key] else { return .error(404, "NoSuchKey") }
            var answer = Answer(object.bytes)
            answer.checksum = object.headers["x-amz-checksum-sha256"]
            return answer
        }
    }
}

/// An answer before it goes wrong.
struct Answer {
    var status = 200
    var body: [UInt8]
    var checksum: String?

    init(status: Int = 200, _ body: [UInt8]) {
        self.status = status
        self.body = body
    }

    static func error(_ status: Int, _ code: String) -> Answer {
        Answer(
            status: status,
            Array("<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>no</Message></Error>".utf8))
    }
}
