import Certificates
import Encodings
import Testing

@Suite struct PEMTests {
    static let refusals: [(String, PEMError)] = [
        ("", .empty),
        ("\n\n", .empty),
        ("hello", .malformed),
        ("-----BEGIN CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----\n", .malformed),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", .wrongLabel),
        ("-----BEGIN CERTIFICATE-----\nAA\nAA\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\nAB==\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\nAA A\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\n\nAAAA\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----x\n", .malformed),
        (" -----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", .malformed),
        ("-----BEGIN CERTIFICATE-----\n\(String(repeating: "A", count: 68))\n-----END CERTIFICATE-----\n", .malformed),
        ("words\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", .malformed),
    ]

    @Test("Armour that is not exactly right is refused", arguments: refusals)
    func refused(_ text: String, _ error: PEMError) {
        #expect(throws: error) { try PEM.decode(Bytes(text: text)) }
    }

    @Test("More blocks or more text than allowed are refused")
    func limits() throws {
        let block = PEM.encode([1, 2, 3])
        #expect(throws: PEMError.tooLarge) { try PEM.decode(block + block + block, maximumCount: 2) }
        #expect(throws: PEMError.tooLarge) { try PEM.decode(block, maximumLength: block.count - 1) }
    }

    @Test("What is written is read back, whatever the length", arguments: [1, 2, 3, 47, 48, 49, 96, 97, 600])
    func roundTrip(_ length: Int) throws {
        let der = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try PEM.decode(PEM.encode(der)) == [der])
        #expect(try PEM.decode(PEM.encode(der) + PEM.encode([9])) == [der, [9]])
    }

    @Test("Lines may end in CR LF, and empty lines may stand between blocks")
    func lineEnds() throws {
        let text = "-----BEGIN CERTIFICATE-----\r\nAQID\r\n-----END CERTIFICATE-----\r\n\r\n"
        #expect(try PEM.decode(Bytes(text: text + text)) == [[1, 2, 3], [1, 2, 3]])
    }
}
