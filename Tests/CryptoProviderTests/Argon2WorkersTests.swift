import Encodings
import Foundation
import Testing
import Workers

@testable import CryptoProvider

@Suite struct Argon2WorkersTests {
    let workers = Argon2Workers(threads: 1, parameters: .forTests, limits: .forTests)
    let passphrase = Bytes(text: "correct horse")

    @Test("A wrong passphrase, a missing account and a hostile hash are not let in")
    func refused() async throws {
        let stored = try await workers.hash(passphrase).text
        #expect(try await !workers.verify(Bytes(text: "correct horsf"), against: stored))
        #expect(try await !workers.verify(passphrase, against: nil))
        await #expect(throws: PassphraseHashError.malformed) {
            try await workers.verify(passphrase, against: "$argon2id$")
        }
        await #expect(throws: PassphraseHashError.badParameters) {
            try await Argon2Workers().verify(passphrase, against: stored)
        }
        await #expect(throws: PassphraseHashError.badParameters) {
            try await workers.derive(
                passphrase, salt: Bytes(repeating: 1, count: 16),
                parameters: Argon2Parameters(memory: 1 << 30, passes: 3, lanes: 4))
        }
        await #expect(throws: PassphraseHashError.badParameters) {
            try await workers.derive(passphrase, salt: [1], parameters: .forTests)
        }
    }

    @Test("A hash is checked, salted anew each time, and renewed when the parameters grow")
    func roundTrip() async throws {
        let first = try await workers.hash(passphrase).text
        let second = try await workers.hash(passphrase).text
        #expect(first != second)
        #expect(try await workers.verify(passphrase, against: first))
        #expect(!workers.isOutdated(first))
        let stronger = Argon2Workers(parameters: .recommended, limits: .forTests)
        #expect(stronger.isOutdated(first))
        let salt = Bytes(repeating: 1, count: 16)
        let key = try await workers.derive(passphrase, salt: salt, parameters: .forTests)
        #expect(key.count == 32)
        #expect(try await workers.derive(passphrase, salt: salt, parameters: .forTests) == key)
    }

    @Test("When too many wait, the next hash is refused as busy, and a cancelled one as cancelled")
    func bounded() async throws {
        let work = BlockingWork(BlockingWork.Bounds(threads: 1, waiting: 1))
        let workers = Argon2Workers(on: work, parameters: .forTests, limits: .forTests)
        let gate = DispatchSemaphore(value: 0)
        let first = Task { try await work.run { gate.wait() } }
        while work.load.running < 1, !Task.isCancelled { await Task.yield() }
        let second = Task { try await workers.hash(passphrase) }
        while work.load.waiting < 1, !Task.isCancelled { await Task.yield() }
        await #expect(throws: PassphraseHashError.busy) { try await workers.hash(passphrase) }
        second.cancel()
        await #expect(throws: PassphraseHashError.cancelled) { try await second.value }
        gate.signal()
        try await first.value
    }

    @Test("Many at once are all served when there is room, none twice")
    func many() async throws {
        let workers = Argon2Workers(threads: 2, maximumWaiting: 100, parameters: .forTests, limits: .forTests)
        let stored = try await workers.hash(passphrase).text
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                let probe = index % 2 == 0 ? passphrase : Bytes(text: "wrong")
                group.addTask { try await workers.verify(probe, against: stored) }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.count == 100)
        #expect(results.filter { $0 }.count == 50)
    }
}
