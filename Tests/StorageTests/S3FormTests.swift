import Foundation
import Testing

@testable import Storage

@Suite("What is read of and written for an object store") struct S3FormTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, "19700101T000000Z"), ("2000-02-29T23:59:59.999Z", 951_868_799, "20000229T235959Z"),
        ("2026-11-21T17:48:24.000Z", 1_795_283_304, "20261121T174824Z"),
        ("2100-03-01T00:00:00Z", 4_107_542_400, "21000301T000000Z"),
    ])
    func `times are read and written`(text: String, seconds: Int64, stamp: String) {
        #expect(AWSTime(text)?.seconds == seconds)
        #expect(AWSTime(seconds: seconds).stamp == stamp)
    }

    @Test func `every day of four centuries is written as it is read`() {
        for day in stride(from: Int64(0), to: 146_097, by: 1) {
            let stamp = AWSTime(seconds: day * 86_400 + 3_661).stamp
            let parts = [stamp.prefix(4), stamp.dropFirst(4).prefix(2), stamp.dropFirst(6).prefix(2)]
            #expect(AWSTime("\(parts.joined(separator: "-"))T01:01:01Z")?.seconds == day * 86_400 + 3_661)
        }
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T17:48:24", "2026-13-21T17:48:24Z", "2026-11-21 17:48:24Z", "2026-11-21T25:48:24Z",
        "2026-11-21T17:48:24.Z", "2026-11-21T17:48:24.1234567890123456789Z", "x026-11-21T17:48:24Z",
    ])
    func `other times are refused`(text: String) { #expect(AWSTime(text) == nil) }

    @Test func `a listing is read`() throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Name>b</Name><Prefix/><IsTruncated>true</IsTruncated>
              <NextContinuationToken>a&amp;b&#x3D;&#61;<![CDATA[<&amp;]]></NextContinuationToken>
              <Contents><Key>p/&lt;a&gt;</Key><Size>12</Size>
              <LastModified>1970-01-01T00:00:01.000Z</LastModified></Contents>
              <Contents ><Key>p/b</Key ><Size>0</Size><LastModified>1970-01-01T00:00:02Z</LastModified></Contents>
            </ListBucketResult>

            """
        let listing = try S3Listing(Array(text.utf8))
        #expect(listing.continuation == "a&b==<&amp;")
        #expect(
            listing.objects == [
                BlobInfo(name: "p/<a>", size: 12, modified: 1), BlobInfo(name: "p/b", size: 0, modified: 2),
            ])
    }

    private static let start = "<ListBucketResult><IsTruncated>"

    @Test(arguments: [
        "", "x", "<a/>", "\(start)maybe</IsTruncated></ListBucketResult>",
        "\(start)true</IsTruncated></ListBucketResult>",
        "\(start)false</IsTruncated>", "\(start)false</IsTruncated></ListBucketResult>x",
        "\(start)false</IsTruncated><IsTruncated>false</IsTruncated></ListBucketResult>",
        "\(start)false</IsTruncated><Contents/></ListBucketResult>",
        "\(start)false</IsTruncated>text</ListBucketResult>", "<!-- --><ListBucketResult/>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]>\(start)false</IsTruncated></ListBucketResult>",
        "\(start)&b;</IsTruncated></ListBucketResult>", "\(start)<![CDATA[false]></IsTruncated></ListBucketResult>",
        "\(start)fa<?x?>lse</IsTruncated></ListBucketResult>",
        "\(start)false</IsTruncated><Contents><Key>a</Key><Size>-1</Size><LastModified>1970-01-01T00:00:01Z"
            + "</LastModified></Contents></ListBucketResult>",
        String(repeating: "<a>", count: 5_000),
    ])
    func `what is no listing is refused`(text: String) {
        #expect(throws: S3Failure.malformedListing) { try S3Listing(Array(text.utf8)) }
        #expect(throws: S3Failure.malformedListing) { try S3Listing(Array(text.utf8) + [0xFF]) }
    }

    @Test func `a listing that is cut anywhere is refused`() throws {
        let text = Array(
            (Self.start + "false</IsTruncated><Contents><Key>a&amp;</Key><Size>1</Size><LastModified>"
                + "1970-01-01T00:00:01Z</LastModified></Contents></ListBucketResult>").utf8)
        #expect(try S3Listing(text).objects.count == 1)
        for length in 0..<text.count {
            #expect(throws: S3Failure.malformedListing) { try S3Listing(Array(text[..<length])) }
        }
    }

    static let buckets: [(String, String, String)] = [
        ("s3://bucket", "bucket", ""), ("s3://bucket/", "bucket", ""), ("s3://a.b-3/x", "a.b-3", "x/"),
        ("s3://bucket/a/b.c/", "bucket", "a/b.c/"),
    ]

    @Test("buckets and prefixes", arguments: buckets)
    func bucketAndPrefix(text: String, bucket: String, prefix: String) throws {
        let name = try #require(S3BucketName(text))
        #expect(name.bucket == bucket && name.prefix == prefix)
    }

    @Test(arguments: [
        "", "bucket", "http://bucket", "s3://", "s3://ab", "s3://Bucket", "s3://-bucket", "s3://bucket.",
        "s3://buc_ket",
        "s3://buc..ket", "s3://bucket//a", "s3://bucket/../a", "s3://bucket/.a", "s3://bucket/a b", "s3://bucket/a?b",
        "s3://\(String(repeating: "a", count: 64))", "s3://user:secret@bucket",
    ])
    func `other buckets are refused`(text: String) { #expect(S3BucketName(text) == nil) }

    static let endpoints: [(String, String?, S3Endpoint.Mistake?)] = [
        ("https://objects.example.edu", "objects.example.edu", nil), ("https://a.example:9000/", "a.example:9000", nil),
        ("https://a.example:443", "a.example", nil), ("http://localhost:9000", "localhost:9000", nil),
        ("http://127.0.0.1:80", "127.0.0.1", nil), ("http://127.8.0.1:1", "127.8.0.1:1", nil),
        ("http://[::1]:9000", "[::1]:9000", nil), ("https://192.0.2.1", "192.0.2.1", nil),
        ("http://a.example", nil, .insecure), ("http://127.0.0.1.example", nil, .insecure),
        ("http://localhost.example", nil, .insecure), ("http://128.0.0.1", nil, .insecure),
        ("http://127.0.0.256", nil, .insecure), ("http://[::2]", nil, .insecure),
        ("", nil, .form), ("a.example", nil, .form), ("ftp://a.example", nil, .form), ("https://", nil, .form),
        ("https://a.example/b", nil, .form), ("https://a.example?b", nil, .form), ("https://u:p@a.example", nil, .form),
        ("https://A.example", nil, .form), ("https://a..example", nil, .form), ("https://a.example:0", nil, .form),
        ("https://a.example:65536", nil, .form), ("https://a.example:", nil, .form), ("https://[::1", nil, .form),
        ("http://127.0.0.1@a.example", nil, .form), ("http://127.0.0.1#a.example", nil, .form),
    ]

    @Test("endpoints", arguments: endpoints)
    func endpointOrMistake(text: String, authority: String?, mistake: S3Endpoint.Mistake?) {
        var found: S3Endpoint.Mistake?
        do {
            let endpoint = try S3Endpoint(text)
            #expect(endpoint.authority == authority)
        } catch {
            found = error
        }
        #expect(found == mistake)
    }

    @Test func `the bucket is named in the path or in the host`() throws {
        var request = S3Request.get("a/b+c")
        request.query = [("prefix", "x y")]
        let example = try S3Endpoint("https://objects.example:9000")
        let (plain, dotted) = (try #require(S3BucketName("s3://buc-ket")), try #require(S3BucketName("s3://buc.ket")))
        let cases = [
            (S3Place(plain), "https://buc-ket.s3.us-east-1.amazonaws.com/a/b%2Bc?prefix=x%20y"),
            (
                S3Place(plain, region: "eu-central-1"),
                "https://buc-ket.s3.eu-central-1.amazonaws.com/a/b%2Bc?prefix=x%20y"
            ),
            (S3Place(dotted), "https://s3.us-east-1.amazonaws.com/buc.ket/a/b%2Bc?prefix=x%20y"),
            (S3Place(plain, addressing: .path), "https://s3.us-east-1.amazonaws.com/buc-ket/a/b%2Bc?prefix=x%20y"),
            (S3Place(plain, endpoint: example), "https://objects.example:9000/buc-ket/a/b%2Bc?prefix=x%20y"),
            (
                S3Place(plain, endpoint: example, addressing: .host),
                "https://buc-ket.objects.example:9000/a/b%2Bc?prefix=x%20y"
            ),
        ]
        for (place, url) in cases { #expect(request.url(at: place) == url) }
    }

    @Test func `checksums are base64`() {
        #expect(S3Body([]).checksum == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        #expect(S3Body([]).payloadHash == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `credentials are read from their section`() throws {
        let text = """
            # a comment
            [other]
            aws_access_key_id = no
            aws_secret_access_key = no
            [default]
            ; another
            aws_access_key_id=AKIA
             aws_secret_access_key =  a+b/c=\t
            region = eu-central-1\r
            aws_session_token = token
            [last]
            aws_access_key_id = no
            """
        let found = try #require(S3Credentials.parse(text))
        #expect(found.accessKey == "AKIA" && found.secret == "a+b/c=" && found.sessionToken == "token")
        for text in ["", "[default]", "[default]\naws_access_key_id=a", "aws_access_key_id=a\naws_secret_access_key=b"]
        {
            #expect(S3Credentials.parse(text) == nil)
        }
    }

    @Test func `a file that others may read is refused, and no error or print shows a secret`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/credentials"
            let text = Array("[default]\naws_access_key_id = AKIA\naws_secret_access_key = VERY-SECRET\n".utf8)
            for mode in [0o640, 0o604, 0o644] as [UInt16] {
                try DurableFile.write(path, text, permissions: mode)
                let error = #expect(throws: StorageError.self) { try S3Credentials(file: path) }
                #expect(error?.description.contains("chmod 600") == true)
                #expect(error?.description.contains("SECRET") == false)
            }
            try DurableFile.write(path, text, permissions: 0o600)
            let credentials = try S3Credentials(file: path)
            #expect(credentials.secret == "VERY-SECRET")
            var shown = "\(credentials) \(String(reflecting: credentials)) \([credentials]) "
            dump(credentials, to: &shown)
            #expect(shown.contains("AKIA") && !shown.contains("SECRET"))
            #expect(throws: StorageError.self) { try S3Credentials(file: "\(directory)/nothing") }
        }
    }

    @Test func `the environment's key counts when it is whole`() {
        let whole = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        #expect(S3Credentials(environment: whole)?.sessionToken == nil)
        #expect(S3Credentials(environment: whole.merging(["AWS_SESSION_TOKEN": "c"]) { $1 })?.sessionToken == "c")
        #expect(S3Credentials(environment: whole.merging(["AWS_SESSION_TOKEN": ""]) { $1 })?.accessKey == "a")
        #expect(S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "a"]) == nil)
        #expect(S3Credentials(environment: whole.merging(["AWS_ACCESS_KEY_ID": "a\nb"]) { $1 }) == nil)
    }
}
