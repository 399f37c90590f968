import Encodings
import Testing

@testable import Vault

@Suite struct MetadataTests {
    static func full() throws -> NodeMetadata {
        var metadata = try Sample.metadata(.file, "Zeugnis – شهادة.pdf")
        metadata.mediaType = .text("application/pdf")
        metadata.tags = [.text("a"), .text("ab"), .text("b")]
        metadata.modified += 5
        metadata.expires = 1_900_000_000_000
        metadata.size = 70_000
        metadata.thumbnail = Bytes(repeating: 7, count: 3_000)
        metadata.compartment = try VaultSecret(Bytes(repeating: 9, count: 32))
        var pins: [VaultSettings.PINSlot] = []
        for number: UInt8 in 0..<4 {
            let resetKey = try VaultSecret(Bytes(repeating: number, count: 32))
            let purpose = PINPurpose(rawValue: number + 1)
            pins.append(
                .init(purpose: number == 3 ? nil : purpose, resetKey: resetKey, node: number == 1 ? .root : nil))
        }
        metadata.settings = try VaultSettings(pins: pins)
        metadata.others = [.init("zz", .integer(1))]
        return metadata
    }

    @Test func metadataSurvivesWriting() throws {
        let metadata = try Self.full()
        let bytes = try metadata.encoded()
        #expect(try NodeMetadata(encoded: bytes) == metadata)
        #expect(UInt64(bytes.count) == Padme.length(of: UInt64(bytes.count)))
        #expect(try Sample.metadata(.note, "n").encoded().count == 512)
    }

    @Test(arguments: [
        "{}", "[]", "{\"created\":1,\"kind\":\"file\",\"modified\":1}",
        "{\"created\":1,\"kind\":\"other\",\"modified\":1,\"name\":\"n\"}",
        "{\"kind\":\"file\",\"created\":1,\"modified\":1,\"name\":\"n\"}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\",\"tags\":[]}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\",\"tags\":[1]}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\",\"size\":-1}",
        "{\"compartment\":\"AA\",\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\"}",
        "{\"created\":1,\"kind\":\"settings\",\"modified\":1,\"name\":\"n\",\"settings\":{\"pins\":[]}}",
    ]) func otherSpellingsAreMalformed(_ text: String) {
        #expect(refusal { try NodeMetadata(encoded: Self.padded(.text(text))) } == .malformed)
    }

    @Test(arguments: [
        "{\"created\":-1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\"}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"..\"}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"a/b\"}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\",\"tags\":[\"b\",\"a\"]}",
        "{\"created\":1,\"kind\":\"file\",\"modified\":1,\"name\":\"n\",\"tags\":[\"a\",\"a\"]}",
    ]) func whatIsBeyondALimitIsOutOfRange(_ text: String) {
        #expect(refusal { try NodeMetadata(encoded: Self.padded(.text(text))) } == .outOfRange)
    }

    /// What the page's reader refuses and takes, too: Tests/Browser/vault_format.js has the same.
    @Test(arguments: [
        #""text":"a\ud800""#, #""tags":["\udc00"]"#, #""media_type":"\ud800""#, #""zz":[{"deeper":"\ud800x"}]"#,
        #""thumbnail":"!""#, #""thumbnail":"A""#, #""thumbnail":"AB""#, #""thumbnail":"AA==""#, #""thumbnail":"/9j/""#,
        #""thumbnail":"AAB""#, #""settings":null"#, #""settings":[]"#, #""zz":\#(nested(32))"#,
        #""zz":[\#(String(repeating: "0,", count: 4_095))0]"#,
    ]) func bothReadersRefuseTheSame(_ member: String) {
        #expect(refusal { try NodeMetadata(encoded: Self.with(member)) } == .malformed)
    }

    @Test(arguments: [
        #""thumbnail":"AA""#, #""zz":\#(nested(31))"#, #""zz":[\#(String(repeating: "0,", count: 4_089))0]"#,
    ]) func bothReadersTakeTheSame(_ member: String) {
        #expect(throws: Never.self) { _ = try NodeMetadata(encoded: Self.with(member)) }
    }

    /// So many arrays in each other.
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// Metadata with one more member, in the order of canonical JSON.
    private static func with(_ member: String) -> Bytes {
        let members = [#""created":1"#, #""kind":"file""#, #""modified":1"#, #""name":"n""#, member]
        return padded(.text("{\(members.sorted().joined(separator: ","))}"))
    }

    /// Pages write it, and this program changes the folder's name: those who were admitted must outlive that.
    @Test func whomAFolderIsSharedWithSurvivesWriting() throws {
        let text =
            #"{"created":1,"kind":"folder","modified":1,"name":"n","share":{"members":{"ab":{"prints":["01ab 23cd"],"#
            + #""role":"reader"}}}}"#
        let bytes = Self.padded(.text(text))
        #expect(try NodeMetadata(encoded: bytes).encoded() == bytes)
    }

    @Test func paddingIsZeroAndOfOneLength() throws {
        let bytes = try Sample.metadata(.note, "n").encoded()
        #expect(refusal { try NodeMetadata(encoded: bytes.flipping(511)) } == .malformed)
        #expect(refusal { try NodeMetadata(encoded: bytes + [0]) } == .malformed)
        #expect(refusal { try NodeMetadata(encoded: Array(bytes.prefix(3))) } == .malformed)
    }

    /// The server takes 256 KiB: the longest metadata is that long once it is padded and sealed, or a little shorter.
    @Test func theLongestMetadataFitsTheServer() throws {
        let sample = try Sample()
        func sealed(_ text: Int) throws -> Bytes {
            var metadata = try Sample.metadata(.note, "n")
            metadata.others = [.init("later", .string(Bytes(repeating: 0x61, count: text)))]
            return try sample.compartment.make(metadata, in: sample.compartment.root, suite: sample.suite).record
                .metadata
        }
        let frame = try Sample.metadata(.note, "n").encoded().prefix(4).reduce(0) { $0 << 8 | Int($1) } + 11
        let most = NodeMetadataLimits.json - frame
        #expect(try sealed(most).count == NodeRecord.metadataByteCount.upperBound)
        #expect(NodeRecord.metadataByteCount.upperBound <= 262_144)
        #expect(refusal { try sealed(most + 1) } == .outOfRange)
    }

    @Test func textsHaveLimits() throws {
        var metadata = try Sample.metadata(.note, "n")
        metadata.text = Bytes(repeating: 0x61, count: NodeMetadataLimits.text)
        #expect(throws: Never.self) { _ = try metadata.encoded() }
        metadata.text = Bytes(repeating: 0x61, count: NodeMetadataLimits.text + 1)
        #expect(refusal { try metadata.encoded() } == .outOfRange)
    }

    @Test(arguments: [
        ("../../etc/passwd", ".._.._etc_passwd"), ("..", ".._"), ("", "_"), ("a\u{0}b\nc", "a_b_c"),
        ("cod\u{202E}fdp.exe", "cod_fdp.exe"), ("C:\\x", "C:_x"), ("Zeugnis.pdf", "Zeugnis.pdf"),
    ]) func hostileNamesBecomeHarmless(_ name: String, _ cleaned: String) throws {
        #expect(NodeName.cleaned(.text(name)).bytes == .text(cleaned))
        #expect((try? NodeName(.text(name))) == (name == cleaned ? NodeName.cleaned(.text(name)) : nil))
        #expect(try NodeName(NodeName.cleaned(.text(name)).bytes).bytes == .text(cleaned))
    }

    @Test func longNamesAreCutBetweenCharacters() throws {
        let name = NodeName.cleaned(.text(String(repeating: "é", count: 200)))
        #expect(name.bytes.count == 254 && UTF8Text.isValid(name.bytes))
        #expect(NodeName.cleaned([0xFF, 0x61]).bytes == .text("_a"))
        #expect(refusal { try NodeName(Bytes(repeating: 0x61, count: 256)) } == .outOfRange)
    }

    private static func padded(_ json: Bytes) -> Bytes {
        let bytes = bigEndian(UInt64(json.count), count: 4) + json
        return bytes + Bytes(repeating: 0, count: Int(Padme.length(of: UInt64(bytes.count))) - bytes.count)
    }
}
