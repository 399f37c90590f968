import Documents
import Encodings
import Testing

@testable import Age

/// A file of age's test kit, and what has to come of it.
struct TestKitCase: CustomTestStringConvertible, Sendable {
    let name: String
    let expectation: String
    let payloadHash: Bytes?
    let fileKey: Bytes?
    let identities: [String]
    let passphrases: [String]
    let isArmoured: Bool
    let file: Bytes

    var testDescription: String { name }

    /// Whether only a suite with hybrid keys can say what the file holds.
    ///
    /// In one file the type of the stanza is in capitals, so nobody takes it for theirs.
    var needsHybridKeys: Bool {
        identities.contains { $0.hasPrefix("AGE-SECRET-KEY-PQ-") } && name != "hybrid_uppercase"
    }

    static let all: [TestKitCase] = (try? read()) ?? []

    func keys() throws -> [AgeIdentity] {
        try passphrases.map { AgeIdentity(passphrase: Bytes(text: $0)) }
            + identities.map { try AgeIdentity(Bytes(text: $0)) }
    }

    private static func read() throws -> [TestKitCase] {
        let kit = try Zlib.decompress(try Fixture.bytes("testkit.zlib"), maximumLength: 1 << 20)
        var cases: [TestKitCase] = []
        var start = 0
        while start < kit.count {
            guard let end = kit[start...].firstIndex(of: 0x0A) else { throw Missing() }
            let line = string(Array(kit[start..<end])).split(separator: " ")
            guard line.count == 2, let count = Int(line[1]) else { throw Missing() }
            cases.append(try TestKitCase(String(line[0]), Array(kit[end + 1..<end + 1 + count])))
            start = end + 1 + count
        }
        return cases
    }

    private init(_ name: String, _ bytes: Bytes) throws {
        var members: [(key: String, value: String)] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let line = string(Array(rest[..<end]))
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            guard let colon = line.firstRange(of: ": ") else { throw Missing() }
            members.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
        }
        func values(_ key: String) -> [String] { members.filter { $0.key == key }.map(\.value) }
        self.name = name
        expectation = try #require(values("expect").first)
        payloadHash = try values("payload").first.map(Fixture.hex)
        fileKey = try values("file key").first.map(Fixture.hex)
        identities = values("identity")
        passphrases = values("passphrase")
        isArmoured = values("armored") == ["yes"]
        let isCompressed = values("compressed") == ["zlib"]
        file = isCompressed ? try Zlib.decompress(Array(rest), maximumLength: 1 << 25) : Array(rest)
    }
}

extension AgeError {
    /// The test kit's name for errors of this kind.
    var expectation: String {
        switch self {
        case .notAge, .unsupportedVersion, .malformedHeader, .headerTooLong, .truncatedHeader, .tooMuchWork:
            "header failure"
        case .noMatch: "no match"
        case .wrongMAC: "HMAC failure"
        case .corruptPayload, .truncatedPayload, .trailingBytes: "payload failure"
        case .malformedArmour: "armor failure"
        default: "no failure of a file"
        }
    }
}
