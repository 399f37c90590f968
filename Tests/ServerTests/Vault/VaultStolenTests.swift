import CryptoProvider
import Encodings
import Interface
import Testing
import Vault

@testable import Server

/// A thief who has what a served vault keeps of its PINs, and not the guard's keys.
///
/// ``VaultGuardTests`` also tries keys that were made of it: for each guess they would cost too much.
@Suite("A stolen vault")
struct VaultStolenTests {
    @Test("confirms none of five hundred guesses without the guard's keys, the four right PINs among them")
    func guesses() async throws {
        try await VaultScene.serve { scene in
            // With the guard's answers each of the four opens its slot: so the trial can succeed.
            for slot in 0..<4 {
                let tried = try await scene.attempt(scene.pins[slot])
                #expect(tried.opened == [slot])
                try await scene.prove(tried, resets: [0, 1, 2, 3])
            }
            // More than the database alone: the sealed slots are with the guard.
            var stolen: [Stolen] = []
            for pin in try await scene.state().pins {
                stolen.append(Stolen(sealed: try VaultScene.bytes(pin.sealed), key: try VaultScene.bytes(pin.key)))
            }
            #expect(stolen.count == 4)
            // Of six digits, as people choose them.
            let guesses = scene.pins + (0..<496).map { "\(382_917 + $0)" }
            var confirmed: [String] = []
            for guess in guesses where try Self.isConfirmed(guess, by: stolen) { confirmed.append(guess) }
            #expect(confirmed == [])
        }
    }

    /// What is known of a PIN slot.
    private struct Stolen: Sendable {
        let sealed: Bytes
        /// The public half of the guard's key.
        let key: Bytes
    }

    /// Whether a guess opens a slot, with something that could stand for the guard's answer.
    private static func isConfirmed(_ guess: String, by stolen: [Stolen]) throws -> Bool {
        let suite = VaultScene.suite
        let input = try VaultScene.input(guess)
        let attempt = try PINAttempt(input, of: VaultScene.vaultAccount(), suite: suite)
        for (index, slot) in stolen.enumerated() {
            let numbers: [Bytes] = [
                suite.hmacSHA512(slot.sealed, key: []), suite.hmacSHA512(slot.key, key: []),
                suite.hmacSHA512(input.bytes, key: slot.key),
            ]
            for number in numbers {
                let value = Bytes(number.prefix(48))
                if (try? attempt.open(slot.sealed, index: index, value: value, suite: suite)) != nil { return true }
            }
        }
        return false
    }
}
