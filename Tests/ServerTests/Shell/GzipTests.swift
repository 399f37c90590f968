import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import Workers

@testable import Server

@Suite("Compressed files")
struct GzipTests {
    @Test("are what gzip(1) takes apart to the file itself, and have a tag of their own")
    func served() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            for path in ["/assets/shell/style.css", "/assets/shell/countersign.wasm"] {
                let plain = try await test.client.execute(uri: path, method: .get)
                let small = try await test.client.execute(
                    uri: path, method: .get, headers: [.acceptEncoding: "br, gzip;q=0.8"])
                #expect(plain.headers[.contentEncoding] == nil && small.headers[.contentEncoding] == "gzip")
                #expect(plain.headers[.vary] == "Accept-Encoding" && small.headers[.vary] == "Accept-Encoding")
                #expect(small.body.readableBytes * 2 < plain.body.readableBytes)
                let unpacked = try await Self.gunzip(Bytes(small.body.readableBytesView))
                #expect(unpacked == Bytes(plain.body.readableBytesView))

                let tag = try #require(small.headers[.eTag])
                #expect(tag != plain.headers[.eTag])
                for (wanted, status) in [("gzip", HTTPResponse.Status.notModified), ("identity", .ok)] {
                    let again = try await test.client.execute(
                        uri: path, method: .get, headers: [.acceptEncoding: wanted, .ifNoneMatch: tag])
                    #expect(again.status == status, "\(wanted)")
                }
            }
            // A picture that is packed already stays as it is.
            let picture = try await test.client.execute(
                uri: "/assets/shell/icon-512.png", method: .get, headers: [.acceptEncoding: "gzip"])
            #expect(picture.status == .ok)
        }
    }

    @Test(
        "go only to whoever asks",
        arguments: [
            ("gzip", true), ("GZIP", true), ("deflate, gzip", true), ("gzip;q=1.0", true), ("gzip ; q=0.001", true),
            ("", false), ("br", false), ("x-gzip2", false), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("identity", false),
        ])
    func asked(field: String, accepted: Bool) {
        #expect(Gzip.isAccepted(field) == accepted)
        #expect(!Gzip.isAccepted(nil))
    }

    @Test("are not made where they would be no smaller", arguments: [0, 1, 20])
    func small(length: Int) {
        #expect(Gzip.compress(Bytes((0..<length).map { UInt8($0) })) == nil)
    }

    @Test("wait for nobody: when too much waits the file is served as it is, and compressed the next time")
    func busy() async throws {
        let (kept, work) = (GzippedFiles(), BlockingWork(BlockingWork.Bounds(threads: 1, waiting: 0)))
        let gate = DispatchSemaphore(value: 0)
        let held = Task { try await work.run { gate.wait() } }
        while work.load.running < 1, !Task.isCancelled { await Task.yield() }
        let content = Bytes(repeating: 0x61, count: 1_000)
        let file = WebFolder.File(bytes: content, mediaType: "text/plain", tag: "\"1\"")
        #expect(await kept.bytes(of: "shell/file.js", file, work) == nil)
        gate.signal()
        try await held.value
        #expect(await kept.bytes(of: "shell/file.js", file, work) != nil)
    }

    @Test("follow the file when it changes")
    func changes() async throws {
        let (kept, work) = (GzippedFiles(), BlockingWork(Limits.work))
        for (tag, letter) in [("\"1\"", "a"), ("\"1\"", "a"), ("\"2\"", "b")] {
            let content = Bytes(text: String(repeating: letter, count: 1_000))
            let file = WebFolder.File(bytes: content, mediaType: "text/plain", tag: tag)
            let small = await kept.bytes(of: "shell/file.js", file, work)
            #expect(try await Self.gunzip(try #require(small)) == content)
        }
    }

    private static func gunzip(_ bytes: Bytes) async throws -> Bytes {
        Bytes(try await OtherProgram.output(of: "gzip", ["-dc"], input: Data(bytes)))
    }
}
