import Foundation
import Testing

@testable import Storage

@Suite("AWS Signature Version 4") struct S3SignatureTests {
    /// Amazon S3 API Reference, "Signature Calculations for the Authorization Header: Examples".
    struct Example: Sendable {
        let method: String
        let path: String
        var query: [(name: String, value: String)] = []
        var headers: [(name: String, value: String)] = []
        var payload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let signature: String
    }

    static let examples = [
        Example(
            method: "GET", path: "/test.txt", headers: [("range", "bytes=0-9")],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            method: "PUT", path: "/test$file.text",
            headers: [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            method: "GET", path: "/", query: [("lifecycle", "")],
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            method: "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")],
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test("the published examples", arguments: examples.indices) func publishedExamples(index: Int) throws {
        let example = Self.examples[index]
        let credentials = try #require(
            S3Credentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let time = try #require(AWSTime("2013-05-24T00:00:00Z"))
        let headers =
            example.headers + [
                ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-date", time.stamp),
                ("x-amz-content-sha256", example.payload),
            ]
        let authorization = SignatureV4(credentials: credentials, region: "us-east-1", service: "s3").authorization(
            SignatureV4.Request(
                method: example.method, path: example.path, query: example.query, headers: headers,
                payloadHash: example.payload), time: time)
        let names = headers.map(\.name).sorted().joined(separator: ";")
        #expect(
            authorization == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=\(names), Signature=\(example.signature)")
    }

    @Test func `random requests are signed as botocore signs them`() async throws {
        var random = SeededRandom(state: 0x5EED)
        let cases = (0..<300).map { _ in RandomRequest(&random) }
        try await withDirectory { directory in
            let encoder = JSONEncoder()
            let lines = try cases.map { String(decoding: try encoder.encode($0.description), as: UTF8.self) + "\n" }
            try DurableFile.write("\(directory)/cases", Array(lines.joined().utf8))
            let judge = try run(python, [repositoryFile("Tests/Interop/s3/sign.py"), "\(directory)/cases"])
            let theirs = judge.output.split(separator: "\n").map(String.init)
            #expect(judge.status == 0 && theirs.count == cases.count)
            for (ours, theirs) in zip(cases, theirs) {
                #expect(try ours.authorization() == theirs, "\(ours.description)")
            }
        }
    }
}

/// A request of names and values that need escaping, trimming and sorting.
private struct RandomRequest {
    struct Description: Encodable {
        let method: String
        let host: String
        let path: String
        let query: [[String]]
        let headers: [[String]]
        let key: String
        let secret: String
        let region: String
        let stamp: String
    }

    let description: Description
    let time: AWSTime
    let payload: String

    init(_ random: inout SeededRandom) {
        time = AWSTime(seconds: Int64.random(in: 0..<4_000_000_000, using: &random))
        payload = SignatureV4.hash((0..<Int.random(in: 0..<64, using: &random)).map { UInt8($0) })
        let host = Self.word("abcdefghijklmnopqrstuvwxyz0123456789-", 1..<30, &random)
        var headers = [["host", host], ["x-amz-date", time.stamp], ["x-amz-content-sha256", payload]]
        for number in 0..<Int.random(in: 0..<5, using: &random) {
            let name = "x-amz-" + Self.word("abcdefghijklmnopqrstuvwxyz-", 1..<12, &random) + "\(number)"
            headers.append([name, Self.word("abcXYZ  019-=;,/+\"", 0..<30, &random)])
        }
        let text = "abcXYZ019-_.~ !\"#$%&'()*+,/:;<=>?@[\\]^`{|}äß中😀"
        let query = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
            [Self.word(text, 1..<10, &random), Self.word(text, 0..<20, &random)]
        }
        description = Description(
            method: ["GET", "PUT", "HEAD", "DELETE", "POST"].randomElement(using: &random) ?? "GET", host: host,
            path: "/" + Self.word(text, 0..<40, &random), query: query, headers: headers,
            key: Self.word("ABCDEFGHIJ0123456789", 16..<21, &random),
            secret: Self.word("abcXYZ019+/=", 30..<41, &random),
            region: Self.word("abcdefghij-0123456789", 1..<15, &random), stamp: time.stamp)
    }

    private static func word(_ letters: String, _ length: Range<Int>, _ random: inout SeededRandom) -> String {
        let letters = Array(letters)
        return String(
            (0..<Int.random(in: length, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
    }

    func authorization() throws -> String {
        let credentials = try #require(S3Credentials(accessKey: description.key, secret: description.secret))
        return SignatureV4(credentials: credentials, region: description.region, service: "s3").authorization(
            SignatureV4.Request(
                method: description.method, path: description.path, query: description.query.map { ($0[0], $0[1]) },
                headers: description.headers.map { ($0[0], $0[1]) }, payloadHash: payload), time: time)
    }
}

/// The same numbers each time (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A file of the repository: three folders above this one.
private func repositoryFile(_ path: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent(path).path
}

/// The Python that `./test` prepared.
private var python: String {
    ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? repositoryFile(".build-tools/python/bin/python3")
}
