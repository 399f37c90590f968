import Encodings
import Foundation
import Logging
import ServiceLifecycle
import Storage

/// Carries out the operator's orders about a running server's keys.
///
/// An order is a file of the data directory, where nobody else can write, and so is its answer.
///
/// A signal would end a server that runs in a terminal, and a socket would be one more way in.
struct KeyOrders: Service {
    let server: CountersignServer
    let logger: Logger
    /// How often it looks for an order.
    static let pause: Duration = .seconds(1)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            await goOn()
            while true {
                try await server.environment.clock.sleep(Self.pause)
                await look()
            }
        }
    }

    /// Goes on with a rotation that an earlier process has begun.
    func goOn() async {
        let order = KeyOrder.rotate(.templateSecret)
        do {
            guard try await SealingRotation.isUnfinished(server.environment) else { return }
            logger.notice("going on with: \(order.text)")
            _ = try await order.carryOut(on: server, isRunning: true)
            logger.notice("done: \(order.text)")
        } catch is CancellationError {
            return
        } catch {
            logger.error(
                "failed, and is tried again at the next start: \(order.text): \(KeyTrouble(error)?.words ?? "\(error)")"
            )
        }
    }

    /// One look.
    func look() async {
        let file = KeyOrderFile(directory: server.directory.path)
        let taken: (id: String, order: KeyOrder?)?
        do { taken = try file.take(now: server.environment.now()) } catch {
            logger.error("an order could not be read: \(error)")
            return
        }
        guard let (id, order) = taken else { return }
        guard let order else {
            logger.error("an order of the command line is unknown here, or nobody waits for it any more: not done")
            let words = "the server does not know this order, or got it too late: nothing was changed"
            try? file.answer(id, .members([("is_refusal", .bool(false)), ("trouble", .text(words))]))
            return
        }
        let answer: JSON
        do {
            answer = try await order.carryOut(on: server, isRunning: true).json
            logger.notice("by order of the command line: \(order.text)")
        } catch {
            let trouble = KeyTrouble(error) ?? KeyTrouble("\(error)", isRefusal: false)
            logger.error("ordered by the command line, and failed: \(order.text): \(trouble.words)")
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
    private static let lifetime: Int64 = 20

    /// Why an order has no answer that says what was done.
    package enum OrderError: Error, Equatable {
        /// The server says why not.
        case trouble(KeyTrouble)
        /// No server took it up, and none will.
        case unheard
        /// Another order is being waited for.
        case busy
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
        let real = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        let owner = try FileManager.default.attributesOfItem(atPath: real)[.ownerAccountID] as? NSNumber
        guard owner?.uint32Value == geteuid() else { throw OrderError.otherUser }
        let (id, now) = (UUID().uuidString.lowercased(), Int64(Date().timeIntervalSince1970))
        let text = Bytes(text: "\(id) \(now) \(order.text)\n")
        let path = "\(directory)/\(Self.name)"
        guard try await BlockingThreads.run({ try leave(text, now: now) }) else { throw OrderError.busy }
        // The server or this command: the first to get the file has the order.
        if try await !wait(heard, { try DurableFile.read(path) != text }),
            try await BlockingThreads.run({ try withdraw(text) })
        {
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

    /// Leaves an order, in place of one for which nobody waits any more.
    ///
    /// Of the commands only one does so at a time: another one would take its order for the old one, and remove it.
    ///
    /// - Returns: whether there was no other.
    private func leave(_ text: Bytes, now: Int64) throws -> Bool {
        let lock = try FolderLock.wait(directory)
        defer { withExtendedLifetime(lock) {} }
        let path = "\(directory)/\(Self.name)"
        if let left = try DurableFile.read(path), Self.order(left, now: now)?.order == nil {
            try DurableFile.remove(path)
        }
        return try DurableFile.create(path, text, permissions: 0o600)
    }

    /// Takes an order back, and never another command's that has come since.
    ///
    /// - Returns: `false` when a server has it.
    private func withdraw(_ text: Bytes) throws -> Bool {
        let lock = try FolderLock.wait(directory)
        defer { withExtendedLifetime(lock) {} }
        guard try DurableFile.read("\(directory)/\(Self.name)") == text else { return false }
        return try claim() == text
    }

    private func wait(_ most: Duration, _ isSo: () throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + most
        while try !isSo() {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(50))
        }
        return true
    }

    /// Takes an order, so that it is carried out at most once, by one of the servers that share the directory.
    ///
    /// - Returns: whom to answer, and what is ordered; `nil` when it is nothing that is known, or is too old.
    func take(now: Int64) throws -> (id: String, order: KeyOrder?)? {
        try claim().flatMap { Self.order($0, now: now) }
    }

    /// Takes the file away, which only one can.
    private func claim() throws -> Bytes? {
        let path = "\(directory)/\(Self.name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let own = "\(path).\(UUID().uuidString)"
        guard unsafe rename(path, own) == 0 else { return nil }
        defer { unsafe unlink(own) }
        return try DurableFile.read(own)
    }

    /// Reads an order, and whether a command may still wait for it.
    private static func order(_ text: Bytes, now: Int64) -> (id: String, order: KeyOrder?)? {
        let line = String(decoding: text, as: UTF8.self).dropLast()
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, UUID(uuidString: words[0]) != nil, let time = Int64(words[1]),
            (0..<1 << 40).contains(time)
        else { return nil }
        return (words[0], abs(now - time) <= lifetime ? KeyOrder(words[2]) : nil)
    }

    func answer(_ id: String, _ json: JSON) throws {
        try DurableFile.write(path(id), try json.canonical(), permissions: 0o600)
    }
}
