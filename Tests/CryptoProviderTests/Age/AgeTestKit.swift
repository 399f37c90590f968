import Age
import Documents
import Encodings
import Foundation
import Testing

/// A file of age's test kit, from the fixtures of `Core`, whose `README.md` says where it is from.
struct AgeTestKitCase: CustomTestStringConvertible, Sendable {
    let name: String
    let members: [String: [String]]
    let file: Bytes

    var testDescription: String { name }

    static let all: [AgeTestKitCase] = (try? read()) ?? []

    func keys() throws -> [AgeIdentity] {
        try (members["passphrase"] ?? []).map { AgeIdentity(passphrase: Bytes(text: $0)) }
            + (members["identity"] ?? []).map { try AgeIdentity(Bytes(text: $0)) }
    }

    private static func read() throws -> [AgeTestKitCase] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Core/Tests/AgeTests/Fixtures/testkit.zlib")
        let kit = try Zlib.decompress(Bytes(try Data(contentsOf: path)), maximumLength: 1 << 20)
        var cases: [AgeTestKitCase] = []
        var rest = kit[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            guard line.count == 2, let count = Int(line[1]) else { throw CocoaError(.fileReadCorruptFile) }
            rest = rest[(end + 1)...]
            cases.append(try AgeTestKitCase(String(line[0]), rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return cases
    }

    private init(_ name: String, _ bytes: ArraySlice<UInt8>) throws {
        var members: [String: [String]] = [:]
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            guard let colon = line.firstRange(of: ": ") else { break }
            members[String(line[..<colon.lowerBound]), default: []].append(String(line[colon.upperBound...]))
        }
        self.name = name
        self.members = members
        let isCompressed = members["compressed"] == ["zlib"]
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

/// A whole file.
func ageFile<Suite: AgeCryptoSuite>(_ content: Bytes, with sealer: AgeSealer<Suite>) throws -> Bytes {
    var (sealer, file) = (sealer, Bytes())
    try sealer.seal(content, appendingTo: &file)
    try sealer.finish(appendingTo: &file)
    return file
}

/// The content of a file as far as it was given out, and the error that ended it.
func openedAge<Suite: AgeCryptoSuite>(
    _ file: Bytes, _ identities: [AgeIdentity], format: AgeFormat? = nil, pieces: Int = 65_536, suite: Suite
) -> (content: Bytes, error: AgeError?) {
    var (opener, content) = (AgeOpener(identities, format: format, suite: suite), Bytes())
    do throws(AgeError) {
        for start in stride(from: 0, to: file.count, by: pieces) {
            try opener.open(Array(file[start..<min(start + pieces, file.count)]), appendingTo: &content)
        }
        try opener.finish(appendingTo: &content)
        return (content, nil)
    } catch {
        return (content, error)
    }
}
