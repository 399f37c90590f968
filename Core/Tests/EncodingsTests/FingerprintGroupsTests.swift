import Encodings
import Testing

@Suite("Groups of a fingerprint")
struct FingerprintGroupsTests {
    /// Made by Python: the first 100 bits of SHA-256, five at a time.
    private static let known: [(hex: String, groups: String)] = [
        ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "WERC8 GMRZG E196Q VYK49"),
        ("eedfd749e2646de3fb66b471ce392177a35f36295d66514234627f7b5a28097b", "XVFXE JF2CH PY7YV 6PHRW"),
        ("4813494d137e1631bba301d5acab6e7bb7aa74ce1185d456565ef51d737677b2", "909MJ K8KFR B33EX 307AT"),
    ]

    @Test("are as another program makes them", arguments: known)
    func text(hex: String, groups: String) throws {
        let fingerprint = try #require(Hex.decode(Bytes(text: hex)))
        #expect(FingerprintGroups.text(fingerprint) == Bytes(text: groups))
    }

    @Test(
        "are read as people type them",
        arguments: [
            "909MJ K8KFR B33EX 307AT", "909mj-k8kfr-b33ex-3o7at", "9O9MJK8KFRB33EX3O7AT", " 909mj\nk8kfr b33ex 307at ",
        ])
    func typed(text: String) throws {
        let fingerprint = try #require(Hex.decode(Bytes(text: Self.known[2].hex)))
        #expect(FingerprintGroups.matches(Bytes(text: text), fingerprint))
    }

    @Test(
        "are no others: not shorter, not longer, not one letter else",
        arguments: [
            "", "909MJ K8KFR B33EX 307A", "909MJ K8KFR B33EX 307AT 0", "909MJ K8KFR B33EX 307AV",
            "909MJ K8KFR U33EX 307AT",
        ])
    func others(text: String) throws {
        let fingerprint = try #require(Hex.decode(Bytes(text: Self.known[2].hex)))
        #expect(!FingerprintGroups.matches(Bytes(text: text), fingerprint))
    }

    @Test("tell all 100 bits apart, and no bit after them")
    func bits() {
        let fingerprint = Bytes(repeating: 0x5A, count: 32)
        for bit in 0..<256 {
            var other = fingerprint
            other[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            #expect((FingerprintGroups.text(other) != FingerprintGroups.text(fingerprint)) == (bit < 100))
        }
    }
}
