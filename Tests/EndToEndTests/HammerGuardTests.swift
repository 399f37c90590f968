import CryptoProvider
import Testing
import Vault

@testable import Server

/// What the guard keeps is in no database: the hammer's check reads its files.
extension HammerTests {
    /// Damages what the guard keeps of everybody, and has it checked.
    private func checked(
        _ damage: @escaping @Sendable (inout GuardFile) throws -> Void
    ) async throws -> Program.Outcome {
        let folder = try Self.loaded.get().copy()
        let guards = GuardFolder(in: folder.path("data"))
        try await guards.forEachFolder { accounts in
            for account in accounts {
                try await guards.change(account) { file in
                    guard var found = file, found.isSetUp else { return }
                    try damage(&found)
                    file = found
                }
            }
        }
        return try check(folder)
    }

    @Test("finds tries that the guard no longer counts")
    func forgotten() async throws {
        let outcome = try await checked { file in
            let suite = SwiftCryptoSuite()
            var counting = try file.counting()
            for slot in 0..<PINSlot.count {
                try counting.replace(slot, with: PINVerifier.unused(resetKey: .random(suite), suite: suite))
            }
            file.take(counting)
        }
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(" counts 0 tries, not "), "\(outcome.output)")
    }

    @Test("finds tries that nobody made")
    func invented() async throws {
        // So late that nobody has to wait.
        let later: Int64 = 8_000_000_000_000
        let outcome = try await checked { file in
            var counting = try file.counting()
            _ = try counting.begin(RandomBytes.make(16), blinded: GuardQuestion([1]).blinded, now: later)
            file.take(counting)
        }
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(" tries, not "), "\(outcome.output)")
    }

    @Test("finds PIN slots that are not as they were set, those that are destroyed, and a file that is no more")
    func changed() async throws {
        let other = try await checked { file in
            for slot in file.slots.indices { file.slots[slot]?.sealed = "AAAA" }
        }
        #expect(other.status == 1, "\(other.output)\(other.errors)")
        #expect(other.output.contains(" holds something that nobody has set"), "\(other.output)")
        let destroyed = try await checked { $0.slots[1] = nil }
        #expect(destroyed.status == 1, "\(destroyed.output)\(destroyed.errors)")
        #expect(destroyed.output.contains("lost: PIN slot 1 of "), "\(destroyed.output)")
        let gone = try await checked { $0.state = nil }
        #expect(gone.status == 1, "\(gone.output)\(gone.errors)")
        #expect(gone.output.contains("half-written: the guard has no PIN slots of the vault of "), "\(gone.output)")
    }
}
