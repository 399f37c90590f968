import Age
import CryptoProvider
import Encodings
import Testing

/// The library opens several pieces at the same time, `Core` one after the other; both say the same.
@Suite("Large age files")
struct AgeOpeningTests {
    /// What the wallet reads at once.
    private static let step = 8 * AgeLimits.sealedChunk
    private let library = SwiftCryptoSuite()
    private let pure = PureAgeSuite { RandomBytes.make($0) }
    private let identity: AgeIdentity
    private let recipient: AgeRecipient

    init() throws {
        identity = try AgeIdentity.generate(suite: library)
        recipient = try identity.recipient(suite: library)
    }

    private func file(_ content: Bytes) throws -> Bytes {
        try ageFile(content, with: AgeSealer(to: [recipient], suite: library))
    }

    /// What both suites say of a file that is read in so many bytes at once.
    private func opened(_ file: Bytes, _ step: Int) -> [(content: Bytes, error: AgeError?)] {
        [
            openedAge(file, [identity], pieces: step, suite: library),
            openedAge(file, [identity], pieces: step, suite: pure),
        ]
    }

    @Test(
        "open whatever their length and however much is read at once",
        arguments: [
            0, 1, 65_535, 65_536, 65_537, 524_287, 524_288, 524_289, 1_048_575, 1_048_576, 1_048_577, 1_572_863,
            1_572_864,
            1_572_865,
        ])
    func lengths(count: Int) throws {
        let content = RandomBytes.make(count)
        let file = try file(content)
        for step in [Self.step, 524_288, 65_536, file.count] {
            for one in opened(file, step) {
                #expect(one.error == nil && one.content.hasSameBytes(as: content), "\(step) at once")
            }
        }
    }

    @Test("give out the pieces before one that was changed, and nothing of it or of later ones", arguments: 0..<20)
    func changed(index: Int) throws {
        let content = RandomBytes.make(19 * AgeLimits.chunk + 1_000)
        let file = try file(content)
        let first = file.count - content.count - 20 * 16
        let begin = first + index * AgeLimits.sealedChunk
        let end = min(begin + AgeLimits.sealedChunk, file.count)
        for place in [begin, end - 1] {
            var spoiled = file
            spoiled[place] ^= 1
            for step in [Self.step, file.count] {
                for one in opened(spoiled, step) {
                    #expect(one.error == .corruptPayload, "\(step) at once")
                    #expect(one.content.hasSameBytes(as: Array(content.prefix(index * AgeLimits.chunk))))
                }
            }
        }
    }

    @Test("are refused if they end at the border of a piece or of what is read at once")
    func cut() throws {
        let content = RandomBytes.make(18 * AgeLimits.chunk)
        let file = try file(content)
        let first = file.count - 18 * AgeLimits.sealedChunk
        let pieces = (0..<18).map { first + $0 * AgeLimits.sealedChunk }
        for end in pieces + Array(stride(from: Self.step, to: file.count, by: Self.step)) {
            let whole = (end - first) / AgeLimits.sealedChunk
            let expected: AgeError = pieces.contains(end) ? .truncatedPayload : .corruptPayload
            for one in opened(Array(file[..<end]), Self.step) {
                #expect(one.error == expected, "\(end) bytes")
                #expect(one.content.hasSameBytes(as: Array(content.prefix(whole * AgeLimits.chunk))))
            }
        }
    }

    @Test("are refused if something follows the last piece", arguments: [1, 16, 65_552, 200_000])
    func trailing(count: Int) throws {
        let content = RandomBytes.make(10 * AgeLimits.chunk)
        let file = try file(content)
        for step in [Self.step, file.count + count] {
            for one in opened(file + RandomBytes.make(count), step) {
                #expect(one.error == .trailingBytes && one.content.hasSameBytes(as: content), "\(step) at once")
            }
        }
    }
}
