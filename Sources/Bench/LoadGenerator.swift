import Encodings
import Foundation
import Glibc

/// Load on a server of this process: keep-alive connections of HTTP/1.1, one request under way on each.
///
/// One thread serves them all; its processor time is told apart from the server's.
struct LoadGenerator: Sendable {
    /// On 127.0.0.1.
    let port: Int
    let connections: Int

    /// The results.
    struct Outcome: Sendable {
        var answers = 0
        var seconds = 0.0
        /// Of the whole process, without the generator.
        var processorSeconds = 0.0
        /// What was answered, when every request was sent once.
        var bodies: [Bytes] = []

        var perSecond: Double { Double(answers) / seconds }
        var processorMicroseconds: Double { processorSeconds / Double(answers) * 1e6 }
    }

    /// Why a measurement is worth nothing.
    enum Failure: Error {
        case noConnection
        case noAnswer
        case refused(String)
    }

    /// Sends each request once and keeps what was answered.
    func each(_ requests: [Bytes]) async throws -> Outcome { try await run(requests, seconds: nil) }

    /// Sends a request again and again.
    func repeated(_ request: Bytes, seconds: Double) async throws -> Outcome {
        try await run([request], seconds: seconds)
    }

    private func run(_ requests: [Bytes], seconds: Double?) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var run = try LoadRun(
                            port: port, connections: connections, requests: requests, seconds: seconds)
                        return try run.run()
                    })
            }
        }
    }
}

/// One measurement, on a thread of its own.
private struct LoadRun: ~Copyable {
    private let requests: [Bytes]
    private let seconds: Double?
    private var lanes: [Lane] = []
    private var polled: [pollfd] = []
    private var next = 0
    private var underWay = 0
    private var outcome = LoadGenerator.Outcome()

    init(port: Int, connections: Int, requests: [Bytes], seconds: Double?) throws {
        self.requests = requests
        self.seconds = seconds
        for _ in 0..<connections {
            let lane = try Lane(port: port)
            lanes.append(lane)
            polled.append(pollfd(fd: lane.descriptor, events: Int16(POLLIN), revents: 0))
        }
    }

    deinit { for lane in lanes { close(lane.descriptor) } }

    mutating func run() throws -> LoadGenerator.Outcome {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds ?? 3_600)
        let processor = LogBench.processorSeconds() - Self.threadSeconds()
        for index in lanes.indices { try send(index, isEnding: false) }
        while underWay > 0 {
            guard unsafe poll(&polled, nfds_t(polled.count), 30_000) > 0 else { throw LoadGenerator.Failure.noAnswer }
            let isEnding = clock.now >= end
            for index in polled.indices where polled[index].revents != 0 {
                guard let body = try lanes[index].receive() else { continue }
                underWay -= 1
                outcome.answers += 1
                if seconds == nil { outcome.bodies.append(body) }
                try send(index, isEnding: isEnding)
            }
        }
        outcome.seconds = Double(start.duration(to: clock.now) / .microseconds(1)) / 1e6
        outcome.processorSeconds = LogBench.processorSeconds() - Self.threadSeconds() - processor
        return outcome
    }

    /// Sends the next request, or takes the connection out when there is none.
    private mutating func send(_ index: Int, isEnding: Bool) throws {
        guard !isEnding, seconds != nil || next < requests.count else {
            polled[index].fd = -1
            return
        }
        try lanes[index].send(requests[next % requests.count])
        next += 1
        underWay += 1
    }

    /// Processor time of the calling thread.
    private static func threadSeconds() -> Double {
        // As two numbers: which module the members of `timespec` come from depends on what was compiled before.
        var time = [0, 0]
        unsafe time.withUnsafeMutableBytes { bytes in
            guard let place = unsafe bytes.assumingMemoryBound(to: timespec.self).baseAddress else { return }
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, place)
        }
        return Double(time[0]) + Double(time[1]) / 1e9
    }
}

/// One connection.
struct Lane {
    let descriptor: Int32
    private var received: Bytes = []
    /// What is read into; made when first needed.
    private var chunk: Bytes = []

    /// A connection to 127.0.0.1.
    ///
    /// - Parameter source: the address of this machine that it comes from, any if `nil`.
    init(port: Int, from source: UInt32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if let source {
            var address = Self.address(source, port: 0)
            guard unsafe Self.call(&address, { [descriptor] in unsafe bind(descriptor, $0, $1) }) == 0 else {
                throw LoadGenerator.Failure.noConnection
            }
        }
        var address = Self.address(0x7F00_0001, port: port)
        guard unsafe Self.call(&address, { [descriptor] in unsafe connect(descriptor, $0, $1) }) == 0 else {
            throw LoadGenerator.Failure.noConnection
        }
        var isOn: Int32 = 1
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func address(_ address: UInt32, port: Int) -> sockaddr_in {
        var value = sockaddr_in()
        value.sin_family = sa_family_t(AF_INET)
        value.sin_port = in_port_t(port).bigEndian
        value.sin_addr.s_addr = address.bigEndian
        return value
    }

    private static func call(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func send(_ request: Bytes) throws {
        let sent = unsafe request.withUnsafeBytes { bytes in
            unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        // A blocking socket takes a request of ours whole.
        guard sent == request.count else { throw LoadGenerator.Failure.noConnection }
    }

    /// The body of an answer, once all of it is there.
    mutating func receive() throws -> Bytes? {
        var own = chunk
        chunk = []
        if own.isEmpty { own = Bytes(repeating: 0, count: 16_384) }
        defer { chunk = own }
        return try receive(through: &own)
    }

    /// The same through memory that thousands of connections share.
    mutating func receive(through chunk: inout Bytes) throws -> Bytes? {
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw LoadGenerator.Failure.noConnection }
        received += chunk[..<count]
        guard let head = Self.find([13, 10, 13, 10], in: received, from: 0) else { return nil }
        guard received.count > 12, received[9] == UInt8(ascii: "2") else {
            throw LoadGenerator.Failure.refused(String(decoding: received, as: UTF8.self))
        }
        var length = 0
        if let field = Self.find(Self.lengthField, in: received, from: 0), field < head {
            var index = field + Self.lengthField.count
            while received[index] != 13 {
                if received[index] != 32 { length = length * 10 + Int(received[index]) - 48 }
                index += 1
            }
        }
        guard received.count >= head + 4 + length else { return nil }
        defer { received.removeAll(keepingCapacity: true) }
        return Bytes(received[(head + 4)...])
    }

    private static let lengthField = Bytes(text: "ontent-length:")

    /// Where some bytes begin, letters in either case.
    private static func find(_ wanted: Bytes, in bytes: Bytes, from start: Int) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        var index = start
        while index <= bytes.count - wanted.count {
            var matched = 0
            while matched < wanted.count {
                let byte = bytes[index + matched]
                guard (0x41...0x5A ~= byte ? byte | 0x20 : byte) == wanted[matched] else { break }
                matched += 1
            }
            if matched == wanted.count { return index }
            index += 1
        }
        return nil
    }
}
