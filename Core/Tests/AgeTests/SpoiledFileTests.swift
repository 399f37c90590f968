import Encodings
import Testing

@testable import Age

@Suite("Spoiled files of age")
struct SpoiledFileTests {
    private let suite = PureAgeSuite.counting()
    private let identity: AgeIdentity
    private let recipient: AgeRecipient

    init() throws {
        identity = try AgeIdentity.generate(suite: suite)
        recipient = try identity.recipient(suite: suite)
    }

    private func file(_ content: Bytes) throws -> Bytes {
        try sealed(content, with: AgeSealer(to: [recipient], suite: suite))
    }

    @Test("No changed bit goes unnoticed, and none of a changed chunk is given out")
    func bits() throws {
        let file = try file(Bytes(repeating: 7, count: 100))
        for index in file.indices {
            let (plaintext, error) = opened(file.flipping(index), [identity], suite: suite)
            #expect(error != nil && error != .suiteFailed && plaintext.isEmpty, "byte \(index)")
        }
    }

    @Test("No shortened file opens")
    func cuts() throws {
        let file = try file(Bytes(repeating: 7, count: 100))
        for count in file.indices {
            let (plaintext, error) = opened(Array(file[..<count]), [identity], suite: suite)
            #expect(plaintext.isEmpty)
            let isInHeader = count < file.count - 116
            #expect(isInHeader ? error == .truncatedHeader : error == .truncatedPayload || error == .corruptPayload)
        }
    }

    @Test("Chunks exchanged, left out, doubled, or of another file are noticed")
    func chunks() throws {
        let (file, other) = (
            try file(Bytes(repeating: 7, count: 200_000)), try file(Bytes(repeating: 7, count: 200_000))
        )
        let start = file.count - 200_000 - 4 * 16
        func chunk(_ file: Bytes, _ index: Int) -> Bytes {
            Array(file[(start + index * 65_552)..<min(start + (index + 1) * 65_552, file.count)])
        }
        func check(_ chunks: [Bytes], _ expected: AgeError, whole: Int) {
            let (plaintext, error) = opened(Array(file[..<start]) + chunks.flatMap { $0 }, [identity], suite: suite)
            #expect(error == expected && plaintext.count == whole * 65_536)
        }
        let own = (0..<4).map { chunk(file, $0) }
        check([own[1], own[0], own[2], own[3]], .corruptPayload, whole: 0)
        check([own[0], own[2], own[3]], .corruptPayload, whole: 1)
        check([own[0], own[0], own[1], own[2], own[3]], .corruptPayload, whole: 1)
        check([own[0], chunk(other, 1), own[2], own[3]], .corruptPayload, whole: 1)
        check([own[0], own[1], own[2]], .truncatedPayload, whole: 3)
        check([own[0], own[1], own[2], own[3].dropLast()], .corruptPayload, whole: 3)
        check([own[0], own[1], own[2], own[3] + [0]], .corruptPayload, whole: 3)
        #expect(opened(file, [identity], suite: suite).error == nil)
    }

    @Test(
        "Headers that nobody writes are refused",
        arguments: [
            ("", AgeError.truncatedHeader), ("a", .truncatedHeader), ("x", .notAge),
            ("age-encryption.org/", .truncatedHeader),
            ("age-encryption.org/v2\n", .unsupportedVersion), ("age-encryption.org/v1 \n", .unsupportedVersion),
            ("age-encryption/v1\n", .notAge), ("age-encryption.org\n", .notAge),
            ("age-encryption.org/v1\n--- ", .truncatedHeader),
            ("age-encryption.org/v1\n--- AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", .malformedHeader),
            ("age-encryption.org/v1\n\n", .malformedHeader), ("age-encryption.org/v1\n->\n", .malformedHeader),
            ("age-encryption.org/v1\n-> \n", .malformedHeader), ("age-encryption.org/v1\n-> a  b\n", .malformedHeader),
            ("age-encryption.org/v1\n-> a\u{7F}\n", .malformedHeader),
            ("age-encryption.org/v1\n-> a\nA\n", .malformedHeader),
            ("age-encryption.org/v1\n-> a\nAAA=\n", .malformedHeader),
            ("age-encryption.org/v1\n-> a\nAAB\n", .malformedHeader),
            ("age-encryption.org/v1\n-> a\n\n---\n", .malformedHeader),
            ("age-encryption.org/v1\n-> a\n\n--- AAAA\n", .malformedHeader), ("\n", .malformedArmour),
            ("-", .malformedArmour),
        ])
    func headers(text: String, expected: AgeError) {
        for length in [1, 1_000] {
            #expect(opened(Bytes(text: text), [identity], pieces: length, suite: suite) == ([], expected))
        }
    }

    @Test("A header is not read without an end, nor is a line of armour")
    func endless() throws {
        let stanza = Bytes(text: "-> " + String(repeating: "a", count: 600) + "\n\n")
        let start = Bytes(text: "age-encryption.org/v1\n")
        for piece in [stanza, Bytes(text: "a")] {
            var (opener, plaintext) = (AgeOpener([identity], suite: suite), Bytes())
            try opener.open(piece.count == 1 ? start + Bytes(text: "-> ") : start, appendingTo: &plaintext)
            let error = refusal {
                for _ in 0..<AgeLimits.header { try opener.open(piece, appendingTo: &plaintext) }
            }
            #expect(error == .headerTooLong)
            #expect(refusal { try opener.finish(appendingTo: &plaintext) } == .headerTooLong)
        }
        var (opener, plaintext) = (AgeOpener([identity], suite: suite), Bytes())
        let error = refusal {
            for _ in 0..<1_000 { try opener.open(Bytes(text: "-"), appendingTo: &plaintext) }
        }
        #expect(error == .malformedArmour)
    }

    @Test("Only as much of a file is needed to learn what opens it")
    func beginnings() throws {
        let (file, armoured) = (
            try file([1]), try sealed([1], with: AgeSealer(to: [recipient], format: .armoured, suite: suite))
        )
        for file in [file, armoured] {
            #expect(try AgeHeader.read(beginning: Array(file.prefix(30))) == nil)
            #expect(try AgeHeader.read(beginning: file)?.needsPassphrase == false)
        }
        #expect(try AgeHeader.read(beginning: []) == nil)
        #expect(refusal { try AgeHeader.read(beginning: Bytes(text: "%PDF-1.7")) } == .notAge)
    }

    @Test("A stanza that a passphrase has to be alone with is refused beside others")
    func alone() throws {
        let fileKey = try AgeFileKey.generate(suite)
        let stanzas = [
            try ScryptWrapping.wrap(fileKey, passphrase: [1], logWork: 1, suite),
            try X25519Wrapping.wrap(fileKey, to: [9] + Bytes(repeating: 0, count: 31), suite),
        ]
        for stanzas in [stanzas, stanzas.reversed(), [stanzas[0], stanzas[0]]] {
            let file = AgeHeader.authenticated(stanzas, by: fileKey, suite).encoded
            for identity in [identity, AgeIdentity(passphrase: [1])] {
                #expect(opened(file, [identity], suite: suite).error == .malformedHeader)
            }
        }
    }
}
