import ArgumentParser
import CryptoProvider
import Encodings
import Foundation

/// `countersign-bench passphrase`: hashes the passphrases that `Benchmarks/passphrase.py` sends, one after the other.
struct PassphraseBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Hash passphrases from standard input with Argon2id, a line for each.",
        discussion: """
            A line has a salt of 16 bytes in hexadecimal, a space and the passphrase. The answer is the microseconds of \
            processor time that the hash took, then 32 bytes in hexadecimal, with the costs that new passphrases have: \
            64 MiB, three passes, four lanes one after the other. Wait for the answer before you send the next line.
            """)

    func run() async throws {
        let workers = Argon2Workers(threads: 1, maximumWaiting: 1)
        while let line = readLine() {
            let parts = line.split(separator: " ", maxSplits: 1).map { Bytes(text: String($0)) }
            guard parts.count == 2, let salt = Hex.decode(parts[0]), salt.count == 16 else {
                throw BenchError("A line has no salt of 16 bytes in hexadecimal, or no passphrase.")
            }
            // Processor time of this program: other work on the machine hardly changes it.
            let start = clock()
            let hash = try await workers.derive(parts[1], salt: salt, parameters: .recommended)
            let microseconds = clock() - start
            let text = String(decoding: Hex.encode(hash), as: UTF8.self)
            FileHandle.standardOutput.write(Data("\(microseconds) \(text)\n".utf8))
        }
    }
}
