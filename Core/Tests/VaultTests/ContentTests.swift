import Encodings
import Testing

@testable import Vault

@Suite struct ContentTests {
    let suite = TestSuite()

    func seal(_ content: Bytes, _ version: OpenedVersion) throws -> Bytes {
        var sealer = try version.sealer(suite)
        var sealed = sealer.header
        try sealer.update(content[...], into: &sealed)
        while !(try sealer.finish(into: &sealed)) {}
        return sealed
    }

    func open(_ sealed: Bytes, _ version: OpenedVersion) throws -> Bytes {
        var opener = try version.opener(suite)
        var content: Bytes = []
        try opener.update(sealed[...], into: &content)
        try opener.finish(into: &content)
        return content
    }

    @Test(arguments: [0, 1, 511, 512, 513, 16_383, 16_384, 70_000, 5_000_001])
    func contentSurvives(_ size: Int) throws {
        let sample = try Sample()
        let content = Bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let version = try sample.compartment.newVersion(
            of: sample.file.id, size: UInt64(size), now: 1, suite: suite)
        let sealed = try seal(content, version)
        #expect(UInt64(sealed.count) == version.sealedLength)
        #expect(try open(sealed, version).hasSameBytes(as: content))
        let reader = try version.reader(header: Array(sealed.prefix(56)), suite)
        let range = UInt64(size / 3)..<UInt64(size)
        let place = try reader.sealedRange(of: range)
        let part = try reader.open(range, sealed: Array(sealed[Int(place.lowerBound)..<Int(place.upperBound)]))
        #expect(part.hasSameBytes(as: Array(content[(size / 3)...])))
    }

    @Test func aVersionTakesExactlyItsBytes() throws {
        let sample = try Sample()
        #expect(refusal { try seal(Bytes(repeating: 1, count: 70_001), sample.version) } == .outOfRange)
        #expect(refusal { try seal(Bytes(repeating: 1, count: 69_999), sample.version) } == .truncated)
    }

    /// The chunks of two files, exchanged by their keeper.
    @Test func contentsOfOtherVersionsDoNotOpen() throws {
        let sample = try Sample()
        let other = try sample.compartment.newVersion(of: sample.file.id, size: 70_000, now: 1, suite: suite)
        let content = Bytes(repeating: 5, count: 70_000)
        let first = try seal(content, sample.version)
        let second = try seal(content, other)
        #expect(refusal { try open(second, sample.version) } == .cannotOpen)
        let mixed = Array(first.prefix(56 + 16_400)) + second.dropFirst(56 + 16_400)
        #expect(refusal { try open(mixed, sample.version) } == .cannotOpen)
        #expect(refusal { try open(Array(first.dropLast()), sample.version) } == .cannotOpen)
        #expect(refusal { try open(Array(first.prefix(56 + 2 * 16_400)), sample.version) } == .truncated)
        #expect(refusal { try open(first + [0], sample.version) } == .cannotOpen)
    }

    /// The same key, but the content of something longer: what is behind the size has to be zeros.
    @Test func paddingIsZero() throws {
        let sample = try Sample()
        let version = sample.version
        let padded = Int(Padme.length(of: version.size))
        var sealer = try CobblestoneSealer(key: version.key.bytes, context: version.context, suite: suite)
        var sealed = sealer.header
        try sealer.update(Bytes(repeating: 1, count: padded)[...], into: &sealed)
        try sealer.finish(into: &sealed)
        #expect(refusal { try open(sealed, version) } == .malformed)
    }
}
