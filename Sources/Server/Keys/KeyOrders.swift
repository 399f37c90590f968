import Encodings
import Foundation
import Logging
import ServiceLifecycle
import Storage

/// Carries out what the operator orders of a running server's keys: an order is a file of the data directory, where nobody
/// else can write, and so is its answer.
///
/// A signal would end a server that runs in a terminal, and a socket would be one more way in.
struct KeyOrders: Service {
    let server: CountersignServer
    let logger: Logger
    /// How often it looks for an order.
    static let pause: Duration = .seconds(1)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await server.environment.clock.sleep(Self.pause)
                await look()
            }
        }
    }

    /// One look.
    func look() async {
        let file = KeyOrderFile(directory: server.directory.path)
        guard let (id, order) = try? file.take(now: server.environment.now()) else { return }
        let answer: JSON
        do {
            answer = try await order.carryOut(on: server).json
            logger.notice("by order of the command line: \(order.text)")
        } catch {
            let trouble = KeyTrouble(error) ?? KeyTrouble("\(error)", isRefusal: false)
            logger.error("ordered by the command line, and not done: \(order.text): \(trouble.words)")
            answer = .members([("is_refusal", .bool(trouble.isRefusal)), ("trouble", .text(trouble.words))])
        }
        do { try file.answer(id, answer) } catch { logger.error("an answer could not be written: \(error)") }
    }
}

/// The files by which command and server meet.
package struct KeyOrderFile: Sendable {
    static let name = "order"
    let directory: String
    private static let maximumSize = 1 << 20
    /// Seconds after which nobody waits for an order any more: what a later start finds, it does not carry out.
    private static let lifetime: Int64 = 60

    /// Why an order has no answer that says what was done.
    package enum OrderError: Error, Equatable {
        /// The server says why not.
        case trouble(KeyTrouble)
        /// No server took it up, and none will.
        case unheard
        /// The server runs as another user, who could not read the order.
        case otherUser
        /// A server has taken it up, and has not answered: it may be done.
        case unanswered
    }

    /// - Parameter directory: the data directory.
    package init(directory: String) { self.directory = directory }

    private func path(_ id: String) -> String { "\(directory)/\(Self.name)-\(id)" }

    /// Orders something of the server that runs on this data directory, and waits for its answer.
    ///
    /// - Parameters:
    ///   - heard: how long a server may take to see the order.
    ///   - done: how long it may take to carry it out.
    package func order(
        _ order: KeyOrder, heard: Duration = .seconds(15), done: Duration = .seconds(120)
    ) async throws -> KeyOrder.Answer {
        let owner = try FileManager.default.attributesOfItem(atPath: directory)[.ownerAccountID] as? NSNumber
        guard owner?.uint32Value == geteuid() else { throw OrderError.otherUser }
        let (id, now) = (UUID().uuidString.lowercased(), Int64(Date().timeIntervalSince1970))
        let text = Bytes(text: "\(id) \(now) \(order.text)\n")
        let path = "\(directory)/\(Self.name)"
        if let left = try DurableFile.read(path), Self.order(left, now: now) == nil { try DurableFile.remove(path) }
        guard try DurableFile.create(path, text, permissions: 0o600) else { throw OrderError.unheard }
        guard try await wait(heard, { try DurableFile.read(path) != text }) else {
            try DurableFile.remove(path)
            throw OrderError.unheard
        }
        var answer: Bytes?
        _ = try await wait(done) {
            answer = try DurableFile.read(self.path(id))
            return answer != nil
        }
        guard let answer, let json = try? JSON.parse(answer, maximumLength: Self.maximumSize) else {
            throw OrderError.unanswered
        }
        try DurableFile.remove(self.path(id))
        if let answer = KeyOrder.Answer(json) { return answer }
        throw OrderError.trouble(
            KeyTrouble(
                json["trouble"]?.string.map { String(decoding: $0, as: UTF8.self) }
                    ?? "the server's answer is unreadable",
                isRefusal: json["is_refusal"]?.bool == true))
    }

    private func wait(_ most: Duration, _ isSo: () throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + most
        while try !isSo() {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(50))
        }
        return true
    }

    /// Takes an order, so that it is carried out once at the most, by one of the servers that share the directory.
    func take(now: Int64) throws -> (id: String, order: KeyOrder)? {
        let path = "\(directory)/\(Self.name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let own = "\(path).\(getpid())"
        guard unsafe rename(path, own) == 0, let text = try DurableFile.read(own) else { return nil }
        try DurableFile.remove(own)
        return Self.order(text, now: now)
    }

    /// Reads an order that somebody still waits for.
    private static func order(_ text: Bytes, now: Int64) -> (id: String, order: KeyOrder)? {
        let line = String(decoding: text, as: UTF8.self).dropLast()
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, UUID(uuidString: words[0]) != nil, let time = Int64(words[1]),
            (0..<1 << 40).contains(time), abs(now - time) <= lifetime, let order = KeyOrder(words[2])
        else { return nil }
        return (words[0], order)
    }

    func answer(_ id: String, _ json: JSON) throws {
        try DurableFile.write(path(id), try json.canonical(), permissions: 0o600)
    }
}
