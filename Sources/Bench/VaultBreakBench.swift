import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Vault

/// `countersign-bench vault-break`: what somebody finds out about a PIN who has stolen everything but the guard's key.
struct VaultBreakBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault-break",
        abstract: "Try to confirm guesses at a PIN with all that a thief can have, but the guard's key.",
        discussion: """
            The thief has the sealed slot, the salt, the guard's public key and verifier, and is spared the stretching of \
            PINs: so a guess costs them next to nothing. The right PIN is among the guesses. Ends with 1 if a guess could \
            be confirmed, or if the right one could not with the guard's key: then the trial would show nothing.
            """)

    @Option(help: "How many PINs to guess at.") var guesses = 10_000
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (10...1_000_000).contains(guesses) else { throw ValidationError("Give 10 to 1000000 guesses.") }
    }

    func run() throws {
        let suite = SwiftCryptoSuite()
        let account = try VaultAccount.random(suite)
        let key = GuardKey()
        let right = Self.pin(Int.random(in: 0..<guesses))
        let own = try PINAttempt(Self.input(right, account, suite), of: account, suite: suite)
        let value = try own.value(Self.evaluated(own, by: key), publicKey: key.publicKey)
        let (slot, verifier) = try own.makeSlot(
            .main, key: .random(suite), index: 0, value: value, resetKey: .random(suite), suite: suite)
        let loot = Loot(account: account, slot: slot, verifier: verifier.bytes, publicKey: key.publicKey)

        var figures = Figures(guesses: guesses)
        let watch = Stopwatch()
        for number in 0..<guesses {
            let input = try Self.input(Self.pin(number), account, suite)
            let ways = try loot.confirmations(of: input, suite: suite)
            figures.waysForEach = ways.tried
            if ways.opened { figures.confirmedWithoutKey += 1 }
        }
        figures.seconds = watch.read().seconds
        // The trial can succeed: the guard's key confirms the right PIN, and no other of these.
        for number in 0..<min(guesses, 100) {
            let pin = Self.pin(number) == right ? Self.pin(guesses) : Self.pin(number)
            if try Self.opens(pin, loot, key, suite) { figures.wrongWithKey += 1 }
        }
        figures.rightWithKey = try Self.opens(right, loot, key, suite)
        let stretching = Stopwatch()
        _ = try PINSlot.input(right, of: account, suite: suite)
        figures.stretchingSeconds = stretching.read().seconds
        try figures.print(json: json)
        guard figures.confirmedWithoutKey == 0, figures.wrongWithKey == 0, figures.rightWithKey else {
            throw ExitCode(1)
        }
    }

    /// Of six digits, as people choose them.
    private static func pin(_ number: Int) -> Bytes { Bytes(text: String(format: "%06d", 382_917 + number)) }

    /// Without the cost of a guess.
    private static func input(
        _ pin: Bytes, _ account: VaultAccount, _ suite: SwiftCryptoSuite
    ) throws -> VaultSecret {
        try PINSlot.input(pin, of: account, stretching: Argon2id(memory: 8, passes: 1, lanes: 1), suite: suite)
    }

    private static func evaluated(_ attempt: PINAttempt, by key: GuardKey) throws -> PINAttempt.Evaluation {
        let answer = try key.evaluate(attempt.blindedElement)
        return PINAttempt.Evaluation(element: answer.element, proof: answer.proof)
    }

    private static func opens(_ pin: Bytes, _ loot: Loot, _ key: GuardKey, _ suite: SwiftCryptoSuite) throws -> Bool {
        let attempt = try PINAttempt(input(pin, loot.account, suite), of: loot.account, suite: suite)
        let value = try attempt.value(evaluated(attempt, by: key), publicKey: key.publicKey)
        return (try? attempt.open(loot.slot, index: 0, value: value, suite: suite)) != nil
    }

    /// All that the thief has.
    private struct Loot {
        let account: VaultAccount
        let slot: Bytes
        let verifier: Bytes
        let publicKey: Bytes

        /// Tries to open the slot with everything that could stand for the guard's answer.
        func confirmations(
            of input: VaultSecret, suite: SwiftCryptoSuite
        ) throws -> (tried: Int, opened: Bool) {
            let attempt = try PINAttempt(input, of: account, suite: suite)
            // Keys that a careless guard might have: a fresh one, and those made of what is stolen.
            let numbers = [publicKey, verifier, slot, account.salt].map {
                Bytes(suite.hmacSHA512($0, key: []).prefix(48))
            }
            var values =
                numbers + [
                    Bytes(repeating: 0, count: 48), Bytes(suite.hmacSHA512(input.bytes, key: publicKey).prefix(48)),
                    Bytes(suite.hmacSHA512(publicKey, key: input.bytes).prefix(48)), Bytes(verifier.prefix(48)),
                ]
            for number in numbers {
                guard let key = try? GuardKey(rawRepresentation: number),
                    let answer = try? key.evaluate(attempt.blindedElement)
                else { continue }
                let evaluation = PINAttempt.Evaluation(element: answer.element, proof: answer.proof)
                // A wallet refuses an answer under another key; a thief does not.
                if let value = try? attempt.value(evaluation, publicKey: key.publicKey) { values.append(value) }
            }
            let opened = values.contains { (try? attempt.open(slot, index: 0, value: $0, suite: suite)) != nil }
            return (values.count, opened)
        }
    }

    private struct Figures: BenchFigures {
        let guesses: Int
        var waysForEach = 0
        var confirmedWithoutKey = 0
        var seconds = 0.0
        var wrongWithKey = 0
        var rightWithKey = false
        var stretchingSeconds = 0.0

        var words: String {
            """
            without the guard's key: \(confirmedWithoutKey) of \(guesses) guesses confirmed, the right one among them, \
            \(waysForEach) ways for each, \(String(format: "%.1f", seconds)) s
            with it: the right PIN \(rightWithKey ? "opens the slot" : "opens nothing"), and \(wrongWithKey) others do
            the stretching that the thief was spared: \(String(format: "%.0f", stretchingSeconds * 1_000)) ms for each
            """
        }
    }
}
