import Age
import CryptoProvider
import Encodings
import Synchronization
import Testing

@testable import Wallet

@Suite("Files that are sealed and opened without a server")
struct VaultSealedFileTests {
    /// Keeps what comes, and the length of the longest piece.
    private final class Keeper: VaultTarget {
        private let kept = Mutex<(bytes: Bytes, longest: Int)>(([], 0))

        var bytes: Bytes { kept.withLock { $0.bytes } }
        var longest: Int { kept.withLock { $0.longest } }

        func write(_ bytes: ArraySlice<UInt8>) throws {
            kept.withLock { kept in
                kept.bytes += bytes
                kept.longest = max(kept.longest, bytes.count)
            }
        }
    }

    private let identity: AgeIdentity
    private let recipient: AgeRecipient

    init() throws {
        identity = try AgeIdentity.generate(suite: SwiftCryptoSuite())
        recipient = try identity.recipient(suite: SwiftCryptoSuite())
    }

    /// Gives the bytes from first to last, as many as are asked for.
    private static func source(_ bytes: Bytes) -> (Int) throws -> Bytes {
        var start = 0
        return { count in
            let end = min(start + count, bytes.count)
            defer { start = end }
            return Array(bytes[start..<end])
        }
    }

    private func sealed(_ content: Bytes) throws -> Bytes {
        let keeper = Keeper()
        try VaultSealedFile.seal(Self.source(content), for: .recipients([recipient]), into: keeper)
        return keeper.bytes
    }

    @Test(
        "open again, and never more than eight pieces are in memory at once",
        arguments: [0, 1, 65_536, 524_288, 524_289, 1_572_864, 1_572_865])
    func lengths(count: Int) throws {
        let content = RandomBytes.make(count)
        let keeper = Keeper()
        try VaultSealedFile.open(Self.source(try sealed(content)), with: { _ in [identity] }, into: keeper)
        #expect(keeper.bytes.hasSameBytes(as: content))
        #expect(keeper.longest <= 8 * AgeLimits.chunk)
        // As many are opened together, once the header is read.
        if count > 1_048_576 { #expect(keeper.longest == 8 * AgeLimits.chunk) }
    }

    @Test("are refused if they end where a read ends")
    func cut() throws {
        let file = try sealed(RandomBytes.make(20 * AgeLimits.chunk))
        for end in stride(from: VaultSealedFile.sealedStep, to: file.count, by: VaultSealedFile.sealedStep) {
            let keeper = Keeper()
            #expect(throws: VaultFault.badSealedFile("it was changed")) {
                try VaultSealedFile.open(Self.source(Array(file[..<end])), with: { _ in [identity] }, into: keeper)
            }
            // The header is less than a piece, and the last one is cut.
            #expect(keeper.bytes.count == (end / AgeLimits.sealedChunk - 1) * AgeLimits.chunk)
        }
    }
}
