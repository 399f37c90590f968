import Encodings
import Testing

@testable import Age

@Suite("age's test kit")
struct TestKitTests {
    private let suite = PureAgeSuite.counting()

    @Test("It is all there")
    func all() {
        #expect(TestKitCase.all.count == 143)
        #expect(Set(TestKitCase.all.map(\.expectation)).count == 6)
    }

    @Test("Every file opens or fails as it says", arguments: TestKitCase.all)
    func file(_ one: TestKitCase) throws {
        let whole = opened(
            one.file, try one.keys(), format: one.isArmoured ? .armoured : .binary, pieces: .max, suite: suite)
        let outcome = whole.error?.expectation ?? "success"
        if one.needsHybridKeys, ["success", "no match"].contains(one.expectation) {
            // Without ML-KEM nothing is said about the file, least of all that it is not for this identity.
            #expect(whole.error == .unsupported && whole.plaintext.isEmpty)
        } else {
            #expect(outcome == one.expectation)
            if let hash = one.payloadHash { #expect(SHA256.hash(whole.plaintext) == hash) }
        }
        // The same in pieces of other lengths.
        for length in one.file.count < 5_000 ? [1, 7, 64] : [4_093, 65_552, 65_536] {
            let inPieces = opened(
                one.file, try one.keys(), format: one.isArmoured ? .armoured : .binary, pieces: length, suite: suite)
            #expect(inPieces.error == whole.error, "in pieces of \(length)")
            #expect(inPieces.plaintext.hasSameBytes(as: whole.plaintext), "in pieces of \(length)")
        }
    }

    @Test(
        "The first byte says whether a file is armoured",
        arguments: TestKitCase.all.filter { $0.expectation == "success" })
    func format(_ one: TestKitCase) throws {
        guard !one.needsHybridKeys else { return }
        #expect(opened(one.file, try one.keys(), suite: suite).error == nil)
        let header = try #require(try AgeHeader.read(beginning: Array(one.file.prefix(20_000))))
        #expect(header.needsPassphrase == !one.passphrases.isEmpty)
        #expect(header.logWork == (one.passphrases.isEmpty ? nil : 10))
    }

    @Test("There is one spelling for each header", arguments: TestKitCase.all.filter { !$0.isArmoured })
    func header(_ one: TestKitCase) throws {
        guard one.expectation != "header failure" else { return }
        var reader = AgeHeaderReader()
        let (header, rest) = try #require(try reader.read(one.file[...]))
        #expect(header.encoded + rest == one.file)
    }

    @Test(
        "There is one spelling for each armour, except for white space", arguments: TestKitCase.all.filter(\.isArmoured)
    )
    func armour(_ one: TestKitCase) throws {
        guard one.expectation != "armor failure" else { return }
        var (reader, bytes) = (AgeArmourReader(), Bytes())
        try reader.read(one.file[...], appendingTo: &bytes)
        try reader.finish(appendingTo: &bytes)
        let text = one.file.filter { $0 != 0x0D }.trimmingSpace() + [0x0A]
        for length in [1, 47, 48, 1_000] {
            var (writer, written) = (AgeArmourWriter(), Bytes())
            for piece in bytes.pieces(of: length) { writer.write(piece, appendingTo: &written) }
            writer.finish(appendingTo: &written)
            #expect(written == text)
        }
    }

    @Test(
        "Content is sealed again to the same bytes", arguments: TestKitCase.all.filter { $0.expectation == "success" })
    func payload(_ one: TestKitCase) throws {
        guard !one.isArmoured, let fileKey = AgeFileKey(try #require(one.fileKey)) else { return }
        var reader = AgeHeaderReader()
        let (_, rest) = try #require(try reader.read(one.file[...]))
        let key = fileKey.payloadKey(nonce: Array(rest.prefix(16)), suite)
        let sealed = rest.dropFirst(16)
        var (opener, plaintext) = (AgePayloadOpener(key: key, suite: suite), Bytes())
        try opener.open(sealed, appendingTo: &plaintext)
        try opener.finish(appendingTo: &plaintext)
        for length in [.max, 65_536, 30_011] {
            var (sealer, again) = (AgePayloadSealer(key: key, suite: suite), Bytes())
            for piece in plaintext.pieces(of: min(length, max(1, plaintext.count))) {
                try sealer.seal(piece, appendingTo: &again)
            }
            try sealer.finish(appendingTo: &again)
            #expect(again.hasSameBytes(as: Array(sealed)), "in pieces of \(length)")
        }
    }
}
