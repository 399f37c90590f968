import Encodings
import Testing

@testable import Age

@Suite("Files of age that we write")
struct SealingTests {
    private let suite = PureAgeSuite.counting()
    private let passphrase = Bytes(text: "correct horse battery staple")

    private func content(_ count: Int) -> Bytes { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 3) } }

    @Test(
        "Open again, whatever their length and in whatever pieces they come",
        arguments: [0, 1, 15, 16, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 200_000],
        [AgeFormat.binary, .armoured])
    func lengths(count: Int, format: AgeFormat) throws {
        let identity = try AgeIdentity.generate(suite: suite)
        let recipient = try identity.recipient(suite: suite)
        for (written, read) in [(65_536, 65_536), (count + 1, 1_000_000), (7_001, 65_552), (131_072, 997)] {
            let sealer = try AgeSealer(to: [recipient], format: format, suite: suite)
            let file = try sealed(content(count), with: sealer, pieces: written)
            let result = opened(file, [identity], pieces: read, suite: suite)
            #expect(result.error == nil && result.plaintext.hasSameBytes(as: content(count)))
            guard case .binary = format else { continue }
            let chunks = max(1, (count + 65_535) / 65_536)
            #expect(file.count == 16 + 16 * chunks + count + (try headerLength(file)))
        }
    }

    private func headerLength(_ file: Bytes) throws -> Int {
        var reader = AgeHeaderReader()
        return try #require(try reader.read(file[...])).header.encoded.count
    }

    @Test("Every recipient opens it, and nobody else")
    func recipients() throws {
        let identities = try (0..<5).map { _ in try AgeIdentity.generate(suite: suite) }
        let recipients = try identities.dropLast().map { try $0.recipient(suite: suite) }
        let file = try sealed([1, 2, 3], with: AgeSealer(to: recipients, suite: suite))
        for identity in identities.dropLast() {
            #expect(opened(file, [identity], suite: suite) == ([1, 2, 3], nil))
            #expect(opened(file, [identities[4], identity], suite: suite) == ([1, 2, 3], nil))
        }
        #expect(opened(file, [identities[4]], suite: suite) == ([], .noMatch))
        #expect(opened(file, [], suite: suite) == ([], .noMatch))
        #expect(opened(file, [AgeIdentity(passphrase: passphrase)], suite: suite) == ([], .noMatch))
    }

    @Test("The passphrase opens it, and no other", arguments: [1, 8, 12])
    func passphrases(logWork: Int) throws {
        let file = try sealed([1, 2, 3], with: AgeSealer(passphrase: passphrase, logWork: logWork, suite: suite))
        func open(_ passphrase: Bytes, highest: Int = 12) -> (Bytes, AgeError?) {
            opened(file, [AgeIdentity(passphrase: passphrase, highestLogWork: highest)], suite: suite)
        }
        #expect(open(passphrase) == ([1, 2, 3], nil))
        #expect(open(passphrase + [0x20]) == ([], .noMatch))
        #expect(open([]) == ([], .noMatch))
        #expect(open(passphrase, highest: logWork - 1) == ([], .tooMuchWork(logWork: logWork)))
        let header = try AgeHeader.read(beginning: file)
        #expect(header?.logWork == logWork && header?.needsPassphrase == true)
    }

    @Test("No two files have a byte run in common but their first line")
    func fresh() throws {
        let recipient = try AgeIdentity.generate(suite: suite).recipient(suite: suite)
        let files = try (0..<2).map { _ in try sealed([1, 2, 3], with: AgeSealer(to: [recipient], suite: suite)) }
        #expect(files[0].count == files[1].count)
        let same = zip(files[0], files[1]).dropFirst(34).filter { $0 == $1 }.count
        #expect(same < 20)
    }

    @Test("What cannot be sealed is refused before a byte is written")
    func refusals() throws {
        let recipient = try AgeIdentity.generate(suite: suite).recipient(suite: suite)
        let hybrid = AgeRecipient(key: .hybrid(Bytes(repeating: 9, count: AgeLimits.hybridPublicKey)))
        #expect(refusal { try AgeSealer(to: [], suite: suite) } == .noRecipients)
        #expect(refusal { try AgeSealer(to: [recipient, hybrid], suite: suite) } == .mixedRecipients)
        #expect(refusal { try AgeSealer(passphrase: [], suite: suite) } == .noRecipients)
        for logWork in [-1, 0, 23, 64] {
            #expect(refusal { try AgeSealer(passphrase: [1], logWork: logWork, suite: suite) } == .invalidWorkFactor)
        }
        // A point of small order: everybody would open the file.
        let zero = AgeRecipient(key: .x25519(Bytes(repeating: 0, count: 32)))
        #expect(refusal { try AgeSealer(to: [zero], suite: suite) } == .invalidRecipient)
        let many = [AgeRecipient](repeating: recipient, count: 2_700)
        #expect(refusal { try AgeSealer(to: many, suite: suite) } == .headerTooLong)
        let poor = PureAgeSuite { _ in [1] }
        #expect(refusal { try AgeSealer(to: [recipient], suite: poor) } == .suiteFailed)
    }

    @Test("Nothing is written or read after the end")
    func finished() throws {
        let identity = try AgeIdentity.generate(suite: suite)
        var sealer = try AgeSealer(to: [try identity.recipient(suite: suite)], suite: suite)
        var (file, plaintext) = (Bytes(), Bytes())
        try sealer.finish(appendingTo: &file)
        #expect(refusal { try sealer.seal([1], appendingTo: &file) } == .finished)
        #expect(refusal { try sealer.finish(appendingTo: &file) } == .finished)
        var opener = AgeOpener([identity], suite: suite)
        try opener.open(file, appendingTo: &plaintext)
        try opener.finish(appendingTo: &plaintext)
        #expect(refusal { try opener.open([1], appendingTo: &plaintext) } == .finished)
        #expect(refusal { try opener.finish(appendingTo: &plaintext) } == .finished)
    }
}
