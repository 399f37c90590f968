import Encodings
import Testing

@testable import Vault

/// Content that comes through a pipe, and uploads that were cut.
@Suite struct UploadTests {
    let suite = TestSuite()

    @Test(arguments: [0, 1, 512, 513, 16_384, 70_000, 1_100_000])
    func contentOfUnknownLengthIsSealedAlike(_ size: Int) throws {
        let sample = try Sample()
        let content = Bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var sealer = try UnsizedContentSealer(of: sample.file.id, in: sample.compartment, now: 5, suite: suite)
        var sealed = sealer.header
        for start in stride(from: 0, to: size, by: 10_007) {
            try sealer.update(content[start..<min(size, start + 10_007)], into: &sealed)
        }
        var version: OpenedVersion?
        while version == nil { version = try sealer.finish(into: &sealed) }
        let found = try #require(version)
        #expect(found.size == UInt64(size) && UInt64(sealed.count) == found.sealedLength)
        var sized = try found.sealer(repeating: Array(sealed.prefix(24)), suite)
        var again = sized.header
        try sized.update(content[...], into: &again)
        while !(try sized.finish(into: &again)) {}
        #expect(again.hasSameBytes(as: sealed))
        #expect(refusal { try sealer.update([1], into: &sealed) } == .finished)
    }

    /// A version, its ciphertext, and the parts of an upload.
    private struct Scene {
        let sample: Sample
        var upload: UnfinishedUpload
        let sealed: Bytes
        let suite = TestSuite()

        init(size: Int, part: UInt64) throws {
            sample = try Sample()
            let version = try sample.compartment.newVersion(
                of: sample.file.id, size: UInt64(size), now: 1, suite: TestSuite())
            sealed = try Self.seal(Bytes(repeating: 5, count: size), version, salt: Bytes(repeating: 3, count: 24))
            upload = try UnfinishedUpload(
                version, salt: Bytes(repeating: 3, count: 24), content: .text("upload"), part: part)
        }

        static func seal(_ content: Bytes, _ version: OpenedVersion, salt: Bytes) throws -> Bytes {
            var sealer = try version.sealer(repeating: salt, TestSuite())
            var sealed = sealer.header
            try sealer.update(content[...], into: &sealed)
            while !(try sealer.finish(into: &sealed)) {}
            return sealed
        }

        /// Follows a part of some ciphertext, of which no more is there than it needs.
        mutating func follow(_ number: UInt64, of sealed: Bytes) throws -> Bool {
            let start = number * upload.part
            let end = Int(upload.sealedEnd(ofPart: number))
            return try upload.follow(number, sealed: Array(sealed[Int(start)..<end]), from: start, suite: suite)
        }
    }

    @Test(arguments: [1_000, 16_400, 20_000, 100_000] as [UInt64])
    func theSameContentGoesOn(_ part: UInt64) throws {
        var scene = try Scene(size: 70_000, part: part)
        for number in 0..<scene.upload.parts { #expect(try scene.follow(number, of: scene.sealed)) }
        let kept = try scene.upload.sealed(of: scene.sample.compartment, suite: suite)
        let again = try UnfinishedUpload(kept, of: scene.sample.compartment, suite: suite)
        #expect(again == scene.upload && UInt64(again.trails.count) == again.parts)
        scene.upload = again
        for number in 0..<scene.upload.parts { #expect(try !scene.follow(number, of: scene.sealed)) }
        #expect(refusal { try UnfinishedUpload(kept, of: .random(suite), suite: suite) } == .cannotOpen)
        #expect(
            refusal { try UnfinishedUpload(kept.flipping(40), of: scene.sample.compartment, suite: suite) }
                == .cannotOpen)
    }

    /// One byte of any chunk that has gone out, even in part, and nothing goes out any more.
    @Test(arguments: [0, 16_383, 16_384, 40_000, 69_999])
    func anotherContentDoesNot(_ place: Int) throws {
        var scene = try Scene(size: 70_000, part: 20_000)
        for number in 0..<scene.upload.parts { _ = try scene.follow(number, of: scene.sealed) }
        var content = Bytes(repeating: 5, count: 70_000)
        content[place] ^= 1
        let other = try Scene.seal(content, scene.upload.version, salt: scene.upload.salt)
        let refused = (0..<scene.upload.parts).map { number in
            let before = scene
            defer { scene = before }
            return refusal { try scene.follow(number, of: other) } == .cannotOpen
        }
        // The part in which the chunk begins, whose end may be in the next one.
        let first = (56 + place / 16_384 * 16_400) / 20_000
        #expect(refused.firstIndex(of: true) == first, "\(refused)")
    }

    /// Two chunks of one part, each the other's: their tags come in another order.
    @Test func exchangedChunksAreAnotherContent() throws {
        var scene = try Scene(size: 70_000, part: 100_000)
        let (low, high) = (Bytes(repeating: 5, count: 16_384), Bytes(repeating: 6, count: 16_384))
        let rest = Bytes(repeating: 5, count: 70_000 - 2 * 16_384)
        let salt = scene.upload.salt
        #expect(try scene.follow(0, of: Scene.seal(low + high + rest, scene.upload.version, salt: salt)))
        let exchanged = try Scene.seal(high + low + rest, scene.upload.version, salt: salt)
        #expect(refusal { try scene.follow(0, of: exchanged) } == .cannotOpen)
    }

    @Test func partsComeInTheirOrder() throws {
        var scene = try Scene(size: 70_000, part: 20_000)
        #expect(refusal { try scene.follow(1, of: scene.sealed) } == .outOfRange)
        let short = Array(scene.sealed[..<Int(scene.upload.sealedEnd(ofPart: 0) - 1)])
        #expect(refusal { try scene.upload.follow(0, sealed: short, from: 0, suite: suite) } == .truncated)
        #expect(
            refusal { try scene.upload.follow(scene.upload.parts, sealed: [], from: 0, suite: suite) } == .outOfRange)
        #expect(
            refusal { try UnfinishedUpload(scene.upload.version, salt: [1], content: [1], part: 1) } == .malformed)
        #expect(
            refusal {
                try UnfinishedUpload(scene.upload.version, salt: scene.upload.salt, content: [1], part: 0)
            } == .malformed)
    }

    /// A new file comes with its content in its first revision.
    @Test func aFileIsMadeWithItsContent() throws {
        let sample = try Sample()
        let id = try NodeID.random(suite)
        let version = try sample.compartment.newVersion(of: id, size: 9, now: 1, suite: suite)
        let metadata = try Sample.metadata(.file, "new")
        let node = try sample.compartment.make(
            metadata, in: sample.compartment.root, id: id, content: (version, .text("blob")), suite: suite)
        #expect(node.record.revision == 1)
        let opened = try #require(try sample.tree([node.record]).node(id))
        #expect(try sample.compartment.open(opened.record.versions[0], of: opened.key, suite: suite) == version)
        #expect(
            refusal {
                try sample.compartment.make(
                    metadata, in: sample.compartment.root, content: (version, .text("blob")), suite: suite)
            } == .notFound)
    }

    @Test func twoCompartmentsHaveTwoNames() throws {
        let (one, other) = (try Compartment.random(suite), try Compartment.random(suite))
        #expect(one.localName(suite).count == 16 && one.localName(suite) != other.localName(suite))
        #expect(one.localName(suite) != one.id.bytes)
    }
}
