import CryptoProvider
import Encodings
import Foundation
import Storage
import Synchronization
import Transparency

@testable import Server

/// Witnesses without sockets: each is a whole one with its own key and database, and a test can remove it.
final class TestWitnesses: WitnessTransport {
    struct Away: Error {}

    private struct State {
        var services: [WitnessService] = []
        var away: Set<Int> = []
        var silent: Set<Int> = []
        var asked = 0
    }
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("witness-\(UUID().uuidString)")
    private let state = Mutex(State())
    let keys: [NoteVerifierKey]
    private let signing: [LogSigningKey]
    private let clock: ServerClock

    /// - Parameter clock: of the witnesses; what they sign bears its time.
    init(_ count: Int, clock: ServerClock = ManualClock().clock) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.clock = clock
        signing = (0..<count).map { _ in LogSigningKey() }
        keys = try signing.enumerated().map { number, key in
            try NoteVerifierKey(
                name: Bytes(text: "w\(number).example"), publicKey: key.publicKey, algorithm: .cosignature)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Has all of them watch a log.
    func watch(_ logs: [NoteVerifierKey]) async throws {
        var services: [WitnessService] = []
        for number in keys.indices { services.append(try await make(number, logs, memory: "\(number)")) }
        state.withLock { $0.services = services }
    }

    /// One loses what it remembers, as after an old backup was restored.
    func forget(_ number: Int, _ logs: [NoteVerifierKey]) async throws {
        let service = try await make(number, logs, memory: "\(number)-\(UUID().uuidString)")
        state.withLock { $0.services[number] = service }
    }

    private func make(_ number: Int, _ logs: [NoteVerifierKey], memory: String) async throws -> WitnessService {
        let database = try await SQLiteDatabase.open(folder.appendingPathComponent("\(memory).sqlite").path)
        try await database.migrate(WitnessSchema.migrations)
        return WitnessService(
            database: database, key: signing[number], verifierKey: keys[number], logs: logs, clock: clock)
    }

    /// Who does not answer from now on.
    var away: Set<Int> {
        get { state.withLock { $0.away } }
        set { state.withLock { $0.away = newValue } }
    }
    /// The witnesses that from now on take a request and never answer.
    var silent: Set<Int> {
        get { state.withLock { $0.silent } }
        set { state.withLock { $0.silent = newValue } }
    }
    /// How many requests there were.
    var asked: Int { state.withLock { $0.asked } }

    func service(_ number: Int) -> WitnessService { state.withLock { $0.services[number] } }

    /// A policy that asks for so many of them.
    func policy(log: String, quorum: Int) -> String {
        let lines = keys.enumerated().map { number, key in
            "witness w\(number) \(String(decoding: key.encoded(), as: UTF8.self)) https://w\(number).example/"
        }
        let names = keys.indices.map { "w\($0)" }.joined(separator: " ")
        return "log \(log)\n" + lines.joined(separator: "\n") + "\ngroup enough \(quorum) \(names)\nquorum enough\n"
    }

    func addCheckpoint(_ body: [UInt8], at url: String) async throws -> (status: Int, body: [UInt8]) {
        guard let number = keys.indices.first(where: { url == "https://w\($0).example/" }) else { throw Away() }
        let (service, isSilent) = try state.withLock { state in
            state.asked += 1
            guard !state.away.contains(number) else { throw Away() }
            return (state.services[number], state.silent.contains(number))
        }
        if isSilent { try await Task.sleep(for: .seconds(86_400)) }
        do {
            return (200, try await service.add(body))
        } catch let refusal as WitnessService.Refusal {
            switch refusal {
            case .malformed, .rule(.olderThanOld): return (400, [])
            case .unknownLog: return (404, [])
            case .rule(.unsigned): return (403, [])
            case .rule(.inconsistent): return (422, [])
            case .rule(.otherSize(let size)), .rule(.forked(let size)): return (409, Bytes(text: "\(size)\n"))
            }
        }
    }
}
