import Encodings
import Foundation
import Storage
import Testing

@testable import Server
@testable import Wallet
@testable import countersign

/// The doctor where it needs the world: certificates of OpenSSL's, a disk that is full, a server that answers.
@Suite("The doctor, and the world around it", .timeLimit(.minutes(15)))
struct DoctorTests {
    // MARK: TLS

    /// What may be wrong with the server's own certificate.
    enum Pair: String, CaseIterable {
        case fits, wildcard, otherKey, otherName, endsSoon, ended, swapped, noCertificate, noKey

        /// The result, and some words of it.
        var expected: (Finding.Result, String) {
            switch self {
            case .fits, .wildcard: (.good, "the certificate is sign.example.edu's, for 364 more days")
            case .otherKey: (.bad, "key and certificate do not belong together")
            case .otherName: (.bad, "the certificate names www.example.edu, not sign.example.edu")
            case .endsSoon: (.warning, "the certificate ends in 19 days")
            case .ended: (.bad, "the certificate ended 1 days ago")
            case .swapped, .noCertificate: (.bad, "holds no certificate in PEM")
            case .noKey: (.bad, "holds no private key in PEM")
            }
        }
    }

    @Test("holds certificate, key, name and time together", arguments: Pair.allCases)
    func certificate(pair: Pair) async throws {
        let folder = try TemporaryFolder()
        let made = Int64(Date().timeIntervalSince1970)
        for (file, name) in [
            ("one", pair == .wildcard ? "*.example.edu" : "sign.example.edu"), ("two", "www.example.edu"),
        ] {
            let outcome = try await Program.runAside(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "365", "-subj", "/CN=test", "-addext", "subjectAltName=DNS:\(name)", "-keyout",
                    folder.path("\(file).key"), "-out", folder.path("\(file).pem"),
                ])
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        try "nothing of the kind\n".write(toFile: folder.path("letter"), atomically: true, encoding: .utf8)
        var (certificate, key, day) = ("one.pem", "one.key", Int64(0))
        switch pair {
        case .fits, .wildcard: break
        case .otherKey: key = "two.key"
        case .otherName: (certificate, key) = ("two.pem", "two.key")
        case .endsSoon: day = 345
        case .ended: day = 366
        case .swapped: (certificate, key) = (key, certificate)
        case .noCertificate: certificate = "letter"
        case .noKey: key = "letter"
        }
        var configuration = ServerConfiguration()
        configuration.dataDirectory = folder.url.path
        configuration.publicURL = try PublicURL("https://sign.example.edu")
        configuration.tls = .init(certificate: folder.path(certificate), key: folder.path(key))
        let findings = await Doctor(
            Deployment(
                configuration: configuration, place: DatabasePlace(url: nil, directory: folder.url.path),
                stores: .folders(asTheyAreIn: folder.url.path), now: made + 3_600 + day * 86_400)
        ).run().filter { $0.name == "TLS" }
        let (result, words) = pair.expected
        #expect(findings.map(\.result) == [result] && findings[0].detail.contains(words), "\(findings)")
        #expect(findings.allSatisfy { ($0.result == .good) == $0.advice.isEmpty })
    }

    // MARK: The disk

    /// Fills a small disk, which only this script sees, asks the doctor, makes room, and asks again.
    private static let fill = """
        set -e
        mount -t tmpfs -o size=4m,mode=700 tmpfs "$1"
        cat /dev/zero >"$1/fill" 2>/dev/null || true
        "$2" admin doctor --data "$1" --json || true
        rm "$1/fill"
        "$2" admin doctor --data "$1" --json || true
        """

    @Test("finds a disk that is full, and one that has little room")
    func full() async throws {
        let folder = try TemporaryFolder()
        let spaces = geteuid() == 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
        let outcome = try await Program.runAside(
            "unshare", spaces + ["sh", "-c", Self.fill, "sh", folder.url.path, Program.countersign])
        #expect(outcome.status == 0, "\(outcome)")
        let found = try outcome.output.split(separator: "\n").map { line in
            try Self.findings(of: Bytes(text: String(line)), named: "directory")
        }
        try #require(found.count == 2, "\(outcome)")
        #expect(found[0].map(\.result) == ["bad", "bad"])
        #expect(found[0].map(\.detail)[0] == "0 MiB are free")
        #expect(found[0].map(\.detail)[1].hasPrefix("nothing can be written durably"))
        #expect(found[1].map(\.result) == ["bad"] && found[1].map(\.detail)[0].hasSuffix("MiB are free"))
    }

    // MARK: Online

    @Test("asks the public URL, and knows whether what answers is this organisation's log")
    func online() async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        let server = try DemoServer(directory: folder.path("one"), port: port, program: Program.countersign)
        let cast = DemoCast(server: server, folder: folder.url.path)
        _ = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: "Online University", DemoCast.owner)
        let answers = try await Self.online(folder.path("one"))
        #expect(answers.result == "good" && answers.detail.contains("its log goes on from the one here"), "\(answers)")
        server.stop()

        let silent = try await Self.online(folder.path("one"))
        #expect(silent.result == "bad" && silent.advice.contains("look at the server"), "\(silent)")

        // Another organisation's server at the same address.
        let other = try DemoServer(directory: folder.path("two"), port: port, program: Program.countersign)
        try FileManager.default.createDirectory(atPath: folder.path("wallets"), withIntermediateDirectories: true)
        let theirs = DemoCast(server: other, folder: folder.path("wallets"))
        _ = try await WalletClient.setUp(
            theirs.place(DemoCast.owner), code: other.setUpCode, organisation: "Another", DemoCast.owner)
        let foreign = try await Self.online(folder.path("one"))
        #expect(foreign.result == "bad" && foreign.detail.contains("shows another log"), "\(foreign)")
        other.stop()
    }

    private static func online(_ data: String) async throws -> Shown {
        let outcome = try await Program.runAside(
            Program.countersign, ["admin", "doctor", "--data", data, "--online", "--json"])
        return try #require(try findings(of: Bytes(text: outcome.output), named: "online").first, "\(outcome)")
    }

    /// A finding as the command shows it.
    private struct Shown {
        let result: String
        let detail: String
        let advice: String
    }

    private static func findings(of output: Bytes, named name: String) throws -> [Shown] {
        let items = try #require(JSON.parse(output.trimmingSpace())["items"]?.array)
        func text(_ value: JSON?) -> String { String(decoding: value?.string ?? [], as: UTF8.self) }
        return items.filter { text($0["check"]) == name }.map {
            Shown(result: text($0["result"]), detail: text($0["detail"]), advice: text($0["advice"]))
        }
    }
}
