import Encodings
import Testing

@testable import Vault

/// A case of Wycheproof's file for Cobblestone-256.
struct ContentCase: Sendable, CustomTestStringConvertible {
    let number: Int64
    let comment: String
    let key: Bytes
    let context: Bytes
    let sealed: Bytes
    let isValid: Bool
    let flags: [Bytes]
    let prefixLength: UInt64?
    let prefixDigest: Bytes?

    var testDescription: String { "\(number): \(comment)" }

    func has(_ flag: StaticString) -> Bool { flags.contains { $0.equals(flag) } }

    static let all = load()

    private static func load() -> [ContentCase] {
        do {
            let text = try Inflate.gzip(Fixture.bytes("c2sp_chunked_encryption_aes_256_gcm_test.json.gz"))
            return try JSON.parse(text).list("testGroups").flatMap { try $0.list("tests") }.map { test in
                ContentCase(
                    number: try test.number("tcId"), comment: String(decoding: try test.text("comment"), as: UTF8.self),
                    key: try test.hex("key"), context: try test.hex("ctx"), sealed: try Inflate.zlib(test.hex("ct")),
                    isValid: try test.text("result").equals("valid"),
                    flags: try test.list("flags").compactMap { $0.string },
                    prefixLength: test["msgLength"]?.integer.map { UInt64($0) },
                    prefixDigest: test["msgSha512"] == nil ? nil : try test.hex("msgSha512"))
            }
        } catch {
            return []
        }
    }
}

@Suite struct CobblestoneTests {
    let suite = TestSuite()

    @Test func theFileIsThere() {
        #expect(ContentCase.all.count == 35)
    }

    /// In pieces of every size that matters.
    @Test(arguments: ContentCase.all) func readsAsItComes(_ test: ContentCase) throws {
        for piece in [1 << 20, 16_400, 16_384, 1_000] {
            var message: Bytes = []
            let error = refusal {
                var opener = try CobblestoneOpener(key: test.key, context: test.context, suite: suite)
                var rest = test.sealed[...]
                while !rest.isEmpty {
                    do {
                        try opener.update(rest.prefix(piece), into: &message)
                    } catch {
                        // Once refused, always refused.
                        var more: Bytes = []
                        #expect(refusal { try opener.update([0], into: &more) } == .finished)
                        #expect(refusal { try opener.finish(into: &more) } == .finished)
                        #expect(more.isEmpty)
                        throw error
                    }
                    rest = rest.dropFirst(piece)
                }
                try opener.finish(into: &message)
            }
            #expect((error == nil) == test.isValid)
            #expect(UInt64(message.count) == test.prefixLength ?? 0)
            if let digest = test.prefixDigest { #expect(SHA512.hash(message) == digest) }
        }
    }

    @Test(arguments: ContentCase.all) func readsAnyPart(_ test: ContentCase) throws {
        func reader() throws -> CobblestoneReader<TestSuite> {
            try CobblestoneReader(
                key: test.key, context: test.context, header: Array(test.sealed.prefix(56)),
                sealedLength: UInt64(test.sealed.count), suite: suite)
        }
        func part(_ range: Range<UInt64>) throws -> Bytes {
            let reader = try reader()
            let place = try reader.sealedRange(of: range)
            return try reader.open(range, sealed: Array(test.sealed[Int(place.lowerBound)..<Int(place.upperBound)]))
        }
        let whole = try? part(0..<reader().length)
        let lengthError = refusal {
            let last = try reader().lastChunk
            try reader().authenticateLength(Array(test.sealed[Int(last.lowerBound)..<Int(last.upperBound)]))
        }
        if test.isValid {
            let message = try #require(whole)
            #expect(SHA512.hash(message) == test.prefixDigest)
            #expect(lengthError == nil)
            for length in [0, 1, 16_383, 16_384, 16_385] {
                for start in [0, 1, 16_383, 16_384, 20_000, message.count - length]
                where start >= 0 && start + length <= message.count {
                    #expect(try part(UInt64(start)..<UInt64(start + length)) == Array(message[start..<start + length]))
                }
            }
        } else {
            // A range up to the end does not touch an empty last chunk, whose tag tells the length.
            #expect(whole == nil || lengthError != nil)
            #expect(lengthError != nil || test.has("ValidFinalChunk"))
        }
    }

    /// With the salt of the vector the same ciphertext comes out.
    @Test(arguments: ContentCase.all.filter { $0.isValid }) func writesTheSame(_ test: ContentCase) throws {
        var opener = try CobblestoneOpener(key: test.key, context: test.context, suite: suite)
        var message: Bytes = []
        try opener.update(test.sealed[...], into: &message)
        try opener.finish(into: &message)
        for piece in [1 << 20, 16_384, 5_000] {
            var sealer = try CobblestoneSealer(
                key: test.key, context: test.context, salt: Array(test.sealed.prefix(24)), suite: suite)
            var sealed = sealer.header
            var rest = message[...]
            while !rest.isEmpty {
                try sealer.update(rest.prefix(piece), into: &sealed)
                rest = rest.dropFirst(piece)
            }
            try sealer.finish(into: &sealed)
            #expect(sealed.hasSameBytes(as: test.sealed))
            #expect(UInt64(sealed.count) == Cobblestone.sealedLength(of: UInt64(message.count)))
            #expect(refusal { try sealer.finish(into: &sealed) } == .finished)
            #expect(refusal { try sealer.update([1], into: &sealed) } == .finished)
        }
    }

    @Test func lengthsThatNoMessageHas() {
        for length: UInt64 in [0, 55, 56, 71, 56 + 16_400, 56 + 16_400 + 15] {
            #expect(refusal { try Cobblestone.messageLength(ofSealed: length) } == .truncated)
        }
        for length: UInt64 in [0, 1, 16_383, 16_384, 1 << 40] {
            #expect((try? Cobblestone.messageLength(ofSealed: Cobblestone.sealedLength(of: length))) == length)
        }
        #expect(refusal { try Cobblestone.messageLength(ofSealed: 1 << 53) } == .outOfRange)
    }

    @Test func paddingKeepsLengthsVague() {
        #expect([0, 1, 512].map { Padme.length(of: $0) } == [512, 512, 512])
        #expect(
            [513, 544, 545, 1_000, 1_024, 1_025].map { Padme.length(of: $0) } == [544, 544, 576, 1_024, 1_024, 1_088])
        for length: UInt64 in [513, 9_999, 1 << 20 + 1, 5_000_000_001, 1 << 52 + 1] {
            let padded = Padme.length(of: length)
            #expect(padded >= length && Double(padded - length) <= 0.12 * Double(length))
            #expect(Padme.length(of: padded) == padded)
        }
    }
}
