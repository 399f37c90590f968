import Encodings
import Foundation
import Logging
import Storage
import Testing

@testable import Server

@Suite("The configuration is read once, and every mistake is told")
struct ConfigurationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var flags: [String: String] = [:]
        var environment: [String: String] = [:]
        var file: [String: String]?
        var mistakes: [String]
        var testDescription: String { name }
    }

    private static let key = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]

    static let cases = [
        Case(name: "port is no number", flags: ["port": "http"], mistakes: ["flag 'port'"]),
        Case(
            name: "port too large", environment: ["COUNTERSIGN_PORT": "65536"],
            mistakes: ["environment 'COUNTERSIGN_PORT'"]),
        Case(name: "port negative", file: ["port": "-1"], mistakes: ["file 'port'"]),
        Case(name: "no live updates", flags: ["live-updates": "0"], mistakes: ["from 1 to 100000"]),
        Case(name: "too many connections", flags: ["connections": "100001"], mistakes: ["from 1 to 100000"]),
        Case(
            name: "more connections of an address than of all", file: ["connections_per_address": "4097"],
            mistakes: ["from 1 to 4096"]),
        Case(name: "unknown flag", flags: ["prot": "1"], mistakes: ["flag 'prot'"]),
        Case(
            name: "unknown variable", environment: ["COUNTERSIGN_PROT": "1"],
            mistakes: ["environment 'COUNTERSIGN_PROT'"]),
        Case(name: "unknown member", file: ["public-url": "https://a"], mistakes: ["file 'public-url'"]),
        Case(
            name: "http beyond localhost", flags: ["public-url": "http://a.example"],
            mistakes: ["must be https beyond localhost"]),
        Case(name: "certificate without key", flags: ["tls-certificate": "c"], mistakes: ["needs 'tls-key'"]),
        Case(name: "key without certificate", flags: ["tls-key": "k"], mistakes: ["needs 'tls-certificate'"]),
        Case(name: "log level", flags: ["log-level": "loud"], mistakes: ["one of trace, debug, info"]),
        Case(name: "database", flags: ["database": "mysql://a/b"], mistakes: ["must begin with postgres://"]),
        Case(name: "password", flags: ["database": "postgres://u:secret@a/b"], mistakes: ["hold no password"]),
        Case(
            name: "password in query", flags: ["database": "postgres://a/b?password=x"], mistakes: ["hold no password"]),
        Case(
            name: "bucket", flags: ["blobs": "s3://B"], environment: key,
            mistakes: ["flag 'blobs': must be s3://BUCKET"]),
        Case(
            name: "no key", flags: ["blobs": "s3://bucket"], environment: ["AWS_ACCESS_KEY_ID": "a"],
            mistakes: ["flag 'blobs': needs an access key"]),
        Case(
            name: "object store", flags: ["blobs": "s3://bucket", "s3-endpoint": "http://a.example"],
            environment: key.merging(["COUNTERSIGN_S3_REGION": "Ö"]) { $1 },
            file: ["s3_addressing": "dns", "s3_credentials": ""],
            mistakes: [
                "flag 's3-endpoint': must be https", "'COUNTERSIGN_S3_REGION'",
                "file 's3_addressing': must be one of path",
                "file 's3_credentials'",
            ]),
        Case(
            name: "settings of a bucket without one",
            flags: [
                "s3-endpoint": "https://a.example", "s3-region": "a", "s3-addressing": "path", "s3-credentials": "c",
            ],
            mistakes: [
                "flag 's3-endpoint': needs 'blobs'", "flag 's3-region': needs 'blobs'",
                "flag 's3-addressing': needs 'blobs'", "flag 's3-credentials': needs 'blobs'",
            ]),
        Case(name: "log format", flags: ["log-format": "xml"], mistakes: ["one of text, json"]),
        Case(
            name: "days to keep", flags: ["keep-invitations": "0", "keep-checks": "3651", "keep-links": "-1"],
            file: ["keep_request_notes": "a year"],
            mistakes: [
                "'keep-invitations': must be a whole number of days from 1 to 3650", "'keep-checks'", "'keep-links'",
                "file 'keep_request_notes'",
            ]),
        Case(
            name: "SMS", flags: ["sms": "http://sms.example/", "sms-credentials": "", "sms-per-hour": "0"],
            environment: ["COUNTERSIGN_SMS_PREFIXES": "49"],
            mistakes: [
                "flag 'sms': must be https://HOST/PATH", "'sms-credentials': must not be empty",
                "'sms-per-hour': must be a whole number from 1 to 100000",
                "'COUNTERSIGN_SMS_PREFIXES': must be beginnings",
            ]),
        Case(
            name: "settings of SMS without a way", flags: ["sms-credentials": "c", "sms-prefixes": "+49"],
            file: ["sms_per_hour": "5"],
            mistakes: ["'sms-credentials': needs 'sms'", "'sms-prefixes': needs 'sms'", "'sms_per_hour': needs 'sms'"]),
        Case(name: "log of assets", flags: ["log-assets": "all"], mistakes: ["true or false"]),
        Case(name: "trust proxy", flags: ["trust-proxy": "yes"], mistakes: ["true or false"]),
        Case(
            name: "empty values", flags: ["host": "", "data-directory": "", "attestation-roots": "", "database": ""],
            mistakes: ["flag 'host'", "flag 'data-directory'", "flag 'attestation-roots'", "flag 'database'"]),
        Case(
            name: "all at once", flags: ["port": "x", "nonsense": "1"],
            environment: ["COUNTERSIGN_LOG_LEVEL": "x", "COUNTERSIGN_X": ""],
            file: ["public_url": "ftp://a", "y": "1"],
            mistakes: ["flag 'port'", "'nonsense'", "LOG_LEVEL", "COUNTERSIGN_X", "public_url", "file 'y'"]),
    ]

    @Test("mistakes are all reported, each by the name of its place", arguments: cases)
    func mistakes(_ example: Case) {
        let result = ServerConfiguration.read(
            flags: example.flags, environment: example.environment, file: example.file)
        let failure = #expect(throws: ConfigurationMistakes.self) { try result.get() }
        let list = failure?.list ?? []
        #expect(list.count == example.mistakes.count, "\(list)")
        for mistake in example.mistakes { #expect(list.contains { $0.contains(mistake) }, "\(mistake): \(list)") }
    }

    @Test("flags win over environment, environment over file, file over defaults")
    func order() throws {
        let result = ServerConfiguration.read(
            flags: ["port": "1"],
            environment: [
                "COUNTERSIGN_PORT": "2", "COUNTERSIGN_HOST": "h", "PATH": "x", "COUNTERSIGN_WALLET_PASSPHRASE": "x",
                "COUNTERSIGN_CONFIG": "f",
            ],
            file: ["port": "3", "host": "f", "data_directory": "d", "trust_proxy": "true"])
        let read = try result.get()
        #expect(read.port == 1 && read.host == "h" && read.dataDirectory == "d" && read.trustsProxy)
        #expect(read.logLevel == .info && read.logFormat == .text && read.tls == nil)
    }

    @Test("nothing given gives the defaults")
    func defaults() throws {
        let read = try ServerConfiguration.read(flags: [:], environment: [:], file: nil).get()
        #expect(read == ServerConfiguration())
        #expect(read.host == "127.0.0.1" && read.port == 8080 && read.dataDirectory == "./data" && !read.trustsProxy)
        #expect(read.defaultPublicURL(port: 8080) == "http://localhost:8080")
        #expect(read.defaultPublicURL(port: 80) == "http://localhost")
    }

    @Test("everything can be set")
    func everything() throws {
        let read = try ServerConfiguration.read(
            flags: [
                "host": "::", "port": "0", "data-directory": "/d", "public-url": "https://a.example:8443",
                "tls-certificate": "c", "tls-key": "k", "log-level": "debug", "log-format": "json",
                "trust-proxy": "true", "database": "postgres://u@[::1]:5432/c", "keep-invitations": "1",
                "keep-checks": "2", "keep-links": "3650", "log-assets": "true",
            ], environment: ["COUNTERSIGN_KEEP_REQUEST_NOTES": "4"], file: [:]
        ).get()
        let days = read.keepDays
        #expect([days.invitations, days.checks, days.links, days.requestNotes] == [1, 2, 3_650, 4])
        #expect(read.tls == .init(certificate: "c", key: "k") && read.logFormat == .json && read.logLevel == .debug)
        #expect(read.logsAssets)
        #expect(read.database == "postgres://u@[::1]:5432/c")
        #expect(read.publicURL?.authority == "a.example:8443" && read.publicURL?.isSecure == true)
    }

    @Test("a bucket is read, and the key is not: only where it is")
    func objectStore() throws {
        let read = try ServerConfiguration.read(
            flags: ["blobs": "s3://bucket/a/b"], environment: Self.key, file: ["s3_endpoint": "https://a.example:9000"]
        ).get().objectStore
        let place = try #require(read?.place)
        #expect(place.bucket == "bucket" && place.prefix == "a/b/" && place.region == "us-east-1")
        #expect(place.addressing == .path && read?.credentials == .environment)
        let other = try ServerConfiguration.read(
            flags: [:],
            environment: [
                "COUNTERSIGN_BLOBS": "s3://bucket", "COUNTERSIGN_S3_CREDENTIALS": "/c", "COUNTERSIGN_S3_REGION": "x-1",
            ], file: nil
        ).get().objectStore
        #expect(other?.place.addressing == .host && other?.place.region == "x-1" && other?.credentials == .file("/c"))
    }

    static let urls: [(String, PublicURL.Mistake?)] = [
        ("https://a.example", nil), ("https://a.example:8443", nil), ("http://localhost", nil),
        ("http://localhost:8080", nil), ("https://xn--bcher-kva.example", nil), ("https://localhost", nil),
        ("", .scheme), ("a.example", .scheme), ("HTTPS://a.example", .scheme), ("ftp://a.example", .scheme),
        ("http://a.example", .insecure), ("http://localhost.example", .insecure),
        ("https://a.example/", .afterHost), ("https://a.example/x", .afterHost), ("https://a.example?x", .afterHost),
        ("https://a.example#x", .afterHost), ("https://u@a.example", .afterHost), ("https://", .host),
        ("https://A.example", .host), ("https://a..example", .host), ("https://-a.example", .host),
        ("https://192.0.2.1", .host), ("https://[::1]", .host), ("http://127.0.0.1:80", .host),
        ("https://a b", .host), ("https://a.example:", .port), ("https://a.example:0", .port),
        ("https://a.example:65536", .port), ("https://a.example:08443", .port), ("https://a.example:x", .port),
        ("https://a.example:443", .defaultPort), ("http://localhost:80", .defaultPort),
    ]

    @Test("one spelling of a public URL", arguments: urls)
    func publicURL(_ text: String, _ mistake: PublicURL.Mistake?) {
        var found: PublicURL.Mistake?
        do {
            let url = try PublicURL(text)
            #expect(url.text == text)
        } catch {
            found = error
        }
        #expect(found == mistake)
    }

    @Test(
        "a file is one flat object",
        arguments: [
            ("{\"port\":1,\"host\":\"h\",\"trust_proxy\":true}", true), ("{}", true), ("[]", false), ("", false),
            ("{\"port\":1,\"port\":2}", false), ("{\"port\":1.5}", false), ("{\"port\":null}", false),
            ("{\"port\":[1]}", false), ("{\"port\":1} x", false),
        ])
    func file(_ text: String, _ isGood: Bool) throws {
        guard isGood else {
            #expect(throws: ConfigurationMistakes.self) { try ServerConfiguration.members(ofFile: Bytes(text: text)) }
            return
        }
        let members = try ServerConfiguration.members(ofFile: Bytes(text: text))
        #expect(members.isEmpty || members == ["port": "1", "host": "h", "trust_proxy": "true"])
    }

    @Test(
        "a mistake in a file is told with its line",
        arguments: [
            ("{\n  \"port\": 1\n  \"host\": \"h\"\n}", "line 3: this is not JSON"),
            ("// The settings.\n{\n  \"port\": 1,\n}", "line 4: this is not JSON"),
            ("{\n  \"host\": \"h\n}", "line 2"), ("{\n  \"port\": 1", "line 2: the file ends too early"),
            ("{\n\"port\": 1,\n\"host\": \"h\",\n\"port\": 2\n}", "line 4: the same setting"),
            ("{}\n\nx", "line 3: there is something after"), ("[]", "line 1: the file must be one JSON object"),
            ("{\n\n  \"port\": 1.5\n}", "line 3: 'port' must be"),
        ])
    func located(_ text: String, _ mistake: String) {
        let found = #expect(throws: ConfigurationMistakes.self) {
            try ServerConfiguration.members(ofFile: Bytes(text: text))
        }
        #expect(found?.list.first?.hasPrefix(mistake) == true, "\(found?.list ?? [])")
    }

    @Test("the line of each setting of a file is known, whatever comments say")
    func lines() {
        let text = "{\n  // \"port\": 1,\n  \"host\": \"a: b\",\n  \"port\" : 80, \"log_level\": \"x\"\n}"
        #expect(ServerConfiguration.lines(ofFile: Bytes(text: text)) == ["host": 3, "port": 4, "log_level": 4])
    }

    @Test("lines of comments in a file are passed over, and nothing else is")
    func comments() throws {
        let text = """
            // The settings.
            {
                // Where it listens: "host" is not set here.
              \t//
                "public_url": "https://sign.example.edu"
            }
            // The end.
            """
        let members = try ServerConfiguration.members(ofFile: Bytes(text: text))
        #expect(members == ["public_url": "https://sign.example.edu"])
        for text in [
            "{\"port\":1} // one", "/ {}", "# {}", "{\"host\":\"a\n// b\"}", "/* {} */", "{\"port\":1,\n// \"x\":1\n}",
        ] {
            #expect(throws: ConfigurationMistakes.self) { try ServerConfiguration.members(ofFile: Bytes(text: text)) }
        }
    }

    @Test("the example that is installed explains every setting, and can be used with each line of it")
    func example() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let text = try String(contentsOfFile: "\(root)/deploy/countersign.json", encoding: .utf8)
        for example in [text, text.replacing("  // \"", with: "  \"")] {
            let members = try ServerConfiguration.members(ofFile: Bytes(text: example))
            _ = try ServerConfiguration.read(flags: [:], environment: [:], file: members).get()
        }
        for setting in ServerConfiguration.Setting.allCases {
            #expect(text.contains("\"\(setting.fileName)\": "), "\(setting.fileName) is not explained")
        }
    }

    @Test("names that begin with COUNTERSIGN_ are the program's alone: whoever tests it uses others")
    func environmentOfTests() throws {
        let environment = ProcessInfo.processInfo.environment
        #expect(try ServerConfiguration.read(flags: [:], environment: environment, file: nil).get().port == 8080)
    }
}
