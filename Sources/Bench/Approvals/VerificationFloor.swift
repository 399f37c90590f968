import CryptoProvider
import Encodings
import Foundation

/// The least that checking answers can cost: as many P-256 signatures verified on all cores, and nothing else.
enum VerificationFloor {
    /// - Parameter count: how many.
    /// - Returns: how many a second.
    static func perSecond(for count: Double) async throws -> Double {
        let key = try SigningKey()
        let message = RandomBytes.make(300)
        let (signature, point) = (try key.sign(message), key.publicKey.x963)
        let lanes = ProcessInfo.processInfo.activeProcessorCount
        let each = max(1, Int(count) / lanes)
        let watch = Stopwatch()
        let valid = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<lanes {
                group.addTask {
                    let suite = SwiftCryptoSuite()
                    return (0..<each).count { _ in suite.isValidP256(signature, over: message, publicKey: point) }
                }
            }
            return await group.reduce(0, +)
        }
        guard valid == each * lanes else { throw BenchError("a signature of its own is refused") }
        return Double(valid) / watch.read().seconds
    }
}
