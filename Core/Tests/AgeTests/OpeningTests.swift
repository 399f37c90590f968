import Encodings
import Synchronization
import Testing

@testable import Age

@Suite("How files of age are opened")
struct OpeningTests {
    private final class Batches: Sendable {
        private let counts = Mutex<[Int]>([])

        var all: [Int] { counts.withLock { $0 } }

        func note(_ count: Int) { counts.withLock { $0.append(count) } }
    }

    /// Notes how many pieces it is asked to open at once.
    private struct NotingSuite: AgeCryptoSuite {
        let pure: PureAgeSuite
        let batches = Batches()

        func randomBytes(_ count: Int) -> Bytes { pure.randomBytes(count) }

        func openChaCha20Poly1305(
            pieces sealed: [ArraySlice<UInt8>], key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
        ) -> Int {
            batches.note(sealed.count)
            return pure.openChaCha20Poly1305(pieces: sealed, key: key, nonces: nonces, appendingTo: &output)
        }
    }

    private let pure = PureAgeSuite.counting()
    private let identity: AgeIdentity
    private let recipient: AgeRecipient

    init() throws {
        identity = try AgeIdentity.generate(suite: pure)
        recipient = try identity.recipient(suite: pure)
    }

    @Test("All whole pieces that came and that something follows are opened at once, the one that was held among them")
    func batches() throws {
        let content = Bytes(repeating: 7, count: 20 * AgeLimits.chunk)
        let file = try sealed(content, with: AgeSealer(to: [recipient], suite: pure))
        let eight = 8 * AgeLimits.sealedChunk
        // The header takes a little of the first read; the last piece waits for the end.
        for (step, expected) in [(eight, [7, 8, 4]), (file.count, [19]), (file.count - 1, [19])] {
            let suite = NotingSuite(pure: pure)
            let result = opened(file, [identity], pieces: step, suite: suite)
            #expect(result.error == nil && result.plaintext.hasSameBytes(as: content))
            #expect(suite.batches.all == expected, "\(step) at once")
        }
    }

    @Test("What was opened is given out by the call that brought the bytes behind it")
    func gradually() throws {
        let content = Bytes(repeating: 7, count: 20 * AgeLimits.chunk)
        let file = try sealed(content, with: AgeSealer(to: [recipient], suite: pure))
        let first = file.count - 20 * AgeLimits.sealedChunk
        var (opener, plaintext, taken) = (AgeOpener([identity], suite: pure), Bytes(), 0)
        for piece in file.pieces(of: 3 * AgeLimits.sealedChunk) {
            try opener.open(piece, appendingTo: &plaintext)
            taken += piece.count
            #expect(plaintext.count == (taken - first - 1) / AgeLimits.sealedChunk * AgeLimits.chunk)
        }
        try opener.finish(appendingTo: &plaintext)
        #expect(plaintext.hasSameBytes(as: content))
    }
}
