import CryptoProvider
import Encodings
import Testing

/// Gives the same bytes over and over.
struct Repeating: RandomNumberGenerator {
    var value: UInt64
    mutating func next() -> UInt64 {
        defer { value &+= 0x0101_0101_0101_0101 }
        return value
    }
}

@Suite struct RandomTests {
    @Test("So many bytes as asked for, and never the same", arguments: [0, 1, 7, 8, 9, 32, 1000])
    func bytes(_ count: Int) {
        #expect(RandomBytes.make(count).count == count)
        if count >= 8 { #expect(RandomBytes.make(count) != RandomBytes.make(count)) }
    }

    @Test("A token is base64url of its bytes")
    func token() throws {
        #expect(Base64.decode(Bytes(text: RandomBytes.randomToken()), .url)?.count == 32)
        #expect(RandomBytes.randomToken() != RandomBytes.randomToken())
    }

    @Test("A code uses exactly Crockford's alphabet")
    func alphabet() throws {
        var generator = Repeating(value: 0x0001_0203_0405_0607)
        var seen: Set<Character> = []
        for _ in 0..<40 { seen.formUnion(HumanCode.random(groups: 8, using: &generator)) }
        #expect(String(seen.sorted()) == "-0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var ordered = Repeating(value: 0x0001_0203_0405_0607)
        #expect(HumanCode.random(groups: 2, using: &ordered) == "0123-4567")
        var letters = Repeating(value: 0x0A12_1416_1B1F_1113)
        #expect(HumanCode.random(groups: 2, using: &letters) == "AJMP-VZHK")
    }

    @Test("What people type is read kindly, and nothing else is")
    func typed() {
        #expect(HumanCode.normalised(" 7k3m-q0xa ") == Bytes(text: "7K3MQ0XA"))
        #expect(HumanCode.normalised("oOiIlL") == Bytes(text: "001111"))
        for bad in ["", "- -", "7K3U", "7K3é", "7K3!", "7K3\n"] { #expect(HumanCode.normalised(bad) == nil) }
        #expect(HumanCode.matches("7k3mq0xa", "7K3M-Q0XA"))
        #expect(!HumanCode.matches("7k3mq0xb", "7K3M-Q0XA"))
        #expect(!HumanCode.matches("7k3mq0x", "7K3M-Q0XA"))
        #expect(HumanCode.random().utf8.count == 14)
    }
}
