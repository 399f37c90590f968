import Encodings
import Testing

@testable import Age

@Suite("Keys of age as text")
struct KeyTextTests {
    /// The examples of the specification.
    private let identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    private let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    private let suite = PureAgeSuite.counting()

    @Test("The specification's identity has its recipient, and both keep their text")
    func example() throws {
        let parsed = try AgeIdentity(Bytes(text: identity))
        #expect(parsed.text.map(string) == identity)
        let publicKey = try parsed.recipient(suite: suite)
        #expect(string(publicKey.text) == recipient)
        #expect(try AgeRecipient(Bytes(text: recipient)) == publicKey)
        #expect(try AgeRecipient(Bytes(text: recipient.uppercased())) == publicKey)
        #expect(!publicKey.isHybrid)
    }

    @Test("New keys are read again", arguments: 0..<20)
    func new(number: Int) throws {
        let suite = PureAgeSuite.counting("key \(number)")
        let identity = try AgeIdentity.generate(suite: suite)
        let again = try AgeIdentity(try #require(identity.text))
        #expect(try again.recipient(suite: suite) == identity.recipient(suite: suite))
    }

    @Test("No changed character is read as a key")
    func changed() throws {
        let text = Bytes(text: recipient)
        for index in text.indices {
            for other in Bytes(text: "qpzb1A ") where text[index] != other {
                var changed = text
                changed[index] = other
                #expect(refusal { try AgeRecipient(changed) } == .invalidRecipient)
            }
            #expect(refusal { try AgeRecipient(Array(text[..<index])) } == .invalidRecipient)
        }
        #expect(refusal { try AgeRecipient(text + [0x71]) } == .invalidRecipient)
        #expect(refusal { try AgeIdentity(text) } == .invalidIdentity)
        #expect(refusal { try AgeRecipient(Bytes(text: identity)) } == .invalidRecipient)
        #expect(
            refusal { try AgeIdentity(Bytes(text: "AGE-SECRET-KEY-PQ-1" + identity.dropFirst(16))) } == .invalidIdentity
        )
    }

    /// Groups of five bits for 0 to 5 bytes of ones, and how many bits are behind the last byte.
    static let groups: [(bytes: Int, groups: Int, behind: Int)] = [
        (0, 0, 0), (1, 2, 2), (2, 4, 4), (3, 5, 1), (4, 7, 3), (5, 8, 0),
    ]

    @Test(
        "Bits behind the last byte, and a character too many, are refused though the checksum holds", arguments: groups)
    func padding(bytes: Int, groups: Int, behind: Int) throws {
        let prefix = Bytes(text: "age")
        var values = Bytes(repeating: 31, count: groups)
        if let last = values.popLast() { values.append((last >> UInt8(behind)) << UInt8(behind)) }
        #expect(AgeBech32.decode(AgeBech32.text(prefix, values), prefix: prefix) == Bytes(repeating: 255, count: bytes))
        for bit in 0..<behind {
            var spoiled = values
            spoiled[groups - 1] |= 1 << UInt8(bit)
            #expect(AgeBech32.decode(AgeBech32.text(prefix, spoiled), prefix: prefix) == nil, "bit \(bit)")
        }
        // A whole character more than the bytes need: zeros, but not the one spelling.
        if behind + 5 < 8 {
            #expect(AgeBech32.decode(AgeBech32.text(prefix, values + [0]), prefix: prefix) == nil)
        }
    }

    @Test("What the specification of Bech32 gives as valid and as invalid")
    func specification() throws {
        #expect(AgeBech32.decode(Bytes(text: "a12uel5l"), prefix: Bytes(text: "a")) == [])
        // BIP 173's own: valid as Bech32, with 5 bits that are no byte.
        let odd = Bytes(text: "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw")
        #expect(AgeBech32.decode(odd, prefix: Bytes(text: "abcdef"))?.count == 20)
        let split = Bytes(text: "?1ezyfcl")
        #expect(AgeBech32.decode(split, prefix: Bytes(text: "?")) == [])
        #expect(AgeBech32.decode(Bytes(text: "A1G7SGD8"), prefix: Bytes(text: "a")) == nil)
    }

    @Test("Files of keys: comments, empty lines and CR LF do not count")
    func files() throws {
        let file = "# created: 2025-01-01\r\n# public key: \(recipient)\r\n\r\n\(identity)\r\n"
        let identities = try AgeIdentity.readFile(Bytes(text: file))
        #expect(identities.count == 1)
        #expect(try AgeRecipient.readFile(Bytes(text: "#a\n\(recipient)\n \(recipient)")).count == 2)
        #expect(refusal { try AgeIdentity.readFile(Bytes(text: "# nothing\n")) } == .invalidIdentity)
        #expect(refusal { try AgeIdentity.readFile(Bytes(text: identity + "\nx")) } == .invalidIdentity)
        #expect(refusal { try AgeRecipient.readFile(Bytes(text: identity)) } == .invalidRecipient)
        let many = Bytes(text: [String](repeating: recipient, count: 3).joined(separator: "\n"))
        #expect(refusal { try AgeRecipient.readFile(many, maximum: 2) } == .invalidRecipient)
        #expect(try AgeRecipient.readFile(many, maximum: 3).count == 3)
    }

    @Test("Without ML-KEM there are no hybrid keys, and this is said")
    func hybrid() throws {
        #expect(refusal { try AgeIdentity.generate(hybrid: true, suite: suite) } == .unsupported)
        let bytes = Bytes(repeating: 9, count: AgeLimits.hybridPublicKey)
        let recipient = try AgeRecipient(AgeBech32.encode(Bytes(text: "age1pq"), bytes))
        #expect(recipient.isHybrid && recipient.text == AgeBech32.encode(Bytes(text: "age1pq"), bytes))
        #expect(refusal { try AgeSealer(to: [recipient], suite: suite) } == .unsupported)
        #expect(AgeIdentity(passphrase: [1]).text == nil)
        #expect(refusal { try AgeIdentity(passphrase: [1]).recipient(suite: suite) } == .invalidIdentity)
    }
}
