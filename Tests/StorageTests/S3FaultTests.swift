import FaultyObjectStore
import Foundation
import Testing

@testable import Storage

/// A store that fails now and then, and one that fails for good.
@Suite("An object store that fails", .timeLimit(.minutes(10))) struct S3FaultTests {
    private static func stores(
        _ store: FaultyObjectStore, _ waits: Waits = Waits(), patience: Duration = .seconds(30)
    ) async throws -> BlobStores {
        var timing = S3Timing.forTests(waits)
        timing.patience = patience
        return try await .bucket(try store.place("p"), timing: timing)
    }

    static let passing: [FaultyObjectStore.Fault] = [
        .answer(500, code: "InternalError"), .answer(503, code: "SlowDown"), .answer(503, code: ""),
        .answer(429, code: "TooManyRequests"), .answer(502, code: ""), .hangUp,
        .hangUpAfterwards,
    ]

    @Test("a request that the store gave up waiting for is sent again")
    func requestTimeout() async throws {
        try await withFaultyStore { store in
            let blobs = try await Self.stores(store).blobs
            store.fail(.answer(400, code: "RequestTimeout"), times: 2, method: "PUT")
            try await blobs.write("a", [1])
            #expect(store.objects["p/blobs/a"]?.bytes == [1])
        }
    }

    @Test("what passes is tried again, and everything is done as if nothing had been", arguments: passing)
    func triedAgain(fault: FaultyObjectStore.Fault) async throws {
        try await withFaultyStore { store in
            let waits = Waits()
            let blobs = try await Self.stores(store, waits).blobs
            let bytes = Array("a document".utf8)
            store.fail(fault, times: 4)
            try await blobs.write("a", bytes)
            #expect(store.objects["p/blobs/a"]?.bytes == bytes)
            // Half of each is random; the test takes the middle of it.
            #expect(waits.all == [75, 150, 300, 600].map { .milliseconds($0) })
            store.fail(fault, times: 2)
            #expect(try await blobs.read("a") == bytes)
            store.fail(fault, times: 2)
            #expect(try await blobs.list().map(\.name) == ["a"])
            store.fail(fault, times: 1)
            #expect(try await blobs.size("a") == Int64(bytes.count))
            store.fail(fault, times: 3)
            #expect(try await blobs.delete("a"))
            #expect(store.objects.isEmpty)
        }
    }

    @Test(
        "an answer that is cut or damaged on its way is asked for again, and never taken",
        arguments: [FaultyObjectStore.Fault.halfBody, .flippedBit])
    func damaged(fault: FaultyObjectStore.Fault) async throws {
        try await withFaultyStore { store in
            let blobs = try await Self.stores(store).blobs
            let bytes = [UInt8](repeating: 7, count: 100_000)
            try await blobs.write("a", bytes)
            store.fail(fault, times: 4, method: "GET")
            #expect(try await blobs.read("a") == bytes)
            store.fail(fault, method: "GET")
            let error = await #expect(throws: StorageError.self) { try await blobs.read("a") }
            #expect(error?.isFailing == true, "\(String(describing: error))")
        }
    }

    @Test("a store that says nothing is waited for only so long")
    func silence() async throws {
        try await withFaultyStore { store in
            // So long a busy machine has for an attempt that is answered.
            let blobs = try await Self.stores(store, patience: .seconds(4)).blobs
            store.fail(.silence, times: 1)
            try await blobs.write("a", [1])
            #expect(store.objects["p/blobs/a"]?.bytes == [1])
            store.fail(.silence)
            let error = await #expect(throws: StorageError.self) { try await blobs.read("a") }
            #expect(error?.description.contains("does not answer in time") == true)
        }
    }

    @Test("a store that answers 500 for good: a clear error after five attempts, and all is well when it is back")
    func lasting() async throws {
        try await withFaultyStore { store in
            let blobs = try await Self.stores(store).blobs
            try await blobs.write("kept", [1])
            store.fail(.answer(500, code: "InternalError"))
            let before = store.seen.count
            let error = await #expect(throws: StorageError.self) { try await blobs.write("a", [2]) }
            #expect(error?.description.contains("answers 500 (InternalError)") == true)
            #expect(error?.isFailing == true, "\(String(describing: error))")
            #expect(store.seen.count == before + S3Client.attempts)
            await #expect(throws: StorageError.self) { try await blobs.read("kept") }
            await #expect(throws: StorageError.self) { try await blobs.delete("kept") }
            await #expect(throws: StorageError.self) { try await blobs.list() }
            store.heal()
            #expect(try await blobs.list().map(\.name) == ["kept"])
            try await blobs.write("a", [2])
            #expect(try await blobs.read("a") == [2])
        }
    }

    @Test("of many blobs one that fails fails the whole, and none is half-written")
    func batch() async throws {
        try await withFaultyStore { store in
            let log = try await Self.stores(store).log
            let blobs = (0..<40).map { Blob(name: "tile/\($0)", bytes: [UInt8](repeating: UInt8($0), count: 1_000)) }
            store.fail(.answer(503, code: "SlowDown"), method: "PUT", keyPart: "tile/17")
            await #expect(throws: StorageError.self) { try await log.write(blobs) }
            for (key, object) in store.objects { #expect(object.bytes.count == 1_000, "\(key)") }
            store.heal()
            try await log.write(blobs)
            #expect(store.objects.count == 40)
        }
    }

    static let permanent: [(Int, String, String)] = [
        (403, "AccessDenied", "s3:PutObject"), (403, "", "s3:PutObject"), (404, "NoSuchBucket", "no bucket faulty"),
        (403, "SignatureDoesNotMatch", "correct the credentials"),
        (403, "InvalidAccessKeyId", "correct the credentials"),
        (403, "RequestTimeTooSkewed", "set this machine's clock"), (400, "ExpiredToken", "has expired"),
        (301, "PermanentRedirect", "--s3-region"), (400, "AuthorizationHeaderMalformed", "--s3-region"),
        (404, "", "S3-compatible"), (400, "<b>&amp;", "S3-compatible"),
    ]

    @Test("what will not pass is not tried again, and says what to do", arguments: permanent)
    func refused(status: Int, code: String, advice: String) async throws {
        try await withFaultyStore { store in
            let blobs = try await Self.stores(store).blobs
            store.fail(.answer(status, code: code), method: "PUT")
            let before = store.seen.count
            let error = await #expect(throws: StorageError.self) { try await blobs.write("a", [1]) }
            let detail = error?.refusal ?? "\(String(describing: error))"
            #expect(detail.contains(advice) && detail.contains("answers \(status)"), "\(detail)")
            #expect(!detail.contains("<"))
            #expect(store.seen.count == before + 1)
            // The start finds it out.
            let atStart = await #expect(throws: StorageError.self) { try await Self.stores(store) }
            #expect(atStart == error)
        }
    }

    @Test("what is missing is told from what is not there to be asked")
    func missing() async throws {
        try await withFaultyStore { store in
            let blobs = try await Self.stores(store).blobs
            #expect(try await blobs.read("a") == nil)
            store.fail(.answer(404, code: "NoSuchBucket"), times: 1)
            await #expect(throws: StorageError.self) { try await blobs.read("a") }
            store.fail(.answer(404, code: ""), times: 1, method: "GET")
            await #expect(throws: StorageError.self) { try await blobs.read("a") }
        }
    }

    @Test("a start that cannot find what it has just written is refused")
    func forgetful() async throws {
        try await withFaultyStore { store in
            for (method, code) in [("GET", "NoSuchKey"), ("HEAD", "")] {
                store.fail(.answer(404, code: code), method: method, keyPart: "check/")
                let error = await #expect(throws: StorageError.self) { try await Self.stores(store) }
                #expect(error?.description.contains("show at once") == true, "\(method)")
                store.heal()
            }
            let left = try await Self.stores(store).blobs.list()
            #expect(left.isEmpty)
        }
    }

    @Test("a start leaves nothing behind, and blobs say how they are to be served")
    func headers() async throws {
        try await withFaultyStore { store in
            let stores = try await Self.stores(store)
            #expect(store.objects.isEmpty)
            try await stores.blobs.write("a", [1])
            try await stores.log.write([
                Blob(name: "checkpoint", bytes: [1], serving: .changingText),
                Blob(name: "tile/0/000.p/1", bytes: [1], serving: .immutable),
            ])
            let shown = store.objects.mapValues { [$0.headers["content-type"], $0.headers["cache-control"]] }
            #expect(
                shown == [
                    "p/blobs/a": ["application/octet-stream", "private, no-store"],
                    "p/log/checkpoint": ["text/plain; charset=utf-8", "no-cache"],
                    "p/log/tile/0/000.p/1": ["application/octet-stream", "public, max-age=31536000, immutable"],
                ])
        }
    }

    @Test("an object larger than any of ours is not read to its end")
    func large() async throws {
        try await withFaultyStore { store in
            let blobs = try await Self.stores(store).blobs
            store.set("p/blobs/a", [UInt8](repeating: 0, count: S3Request.objectLimit + 1))
            let error = await #expect(throws: StorageError.self) { try await blobs.read("a") }
            #expect(error?.description.contains("too large") == true)
        }
    }

    @Test("objects of others behind the same beginning are left out, and other prefixes are not seen")
    func others() async throws {
        try await withFaultyStore(pageSize: 2) { store in
            let blobs = try await Self.stores(store).blobs
            for key in ["p/blobs/a b", "p/blobs/.x", "p/blobs/d//e", "p/blobsx/a", "p/log/a", "q"] {
                store.set(key, [1])
            }
            for name in ["c", "b/c", "a", "Z"] { try await blobs.write(name, [1]) }
            #expect(try await blobs.list().map(\.name) == ["Z", "a", "b/c", "c"])
        }
    }

    @Test("an exchanged file of credentials is taken when the store refuses the old key")
    func exchanged() async throws {
        try await withFaultyStore { store in
            try await withDirectory { directory in
                let path = "\(directory)/credentials"
                let write = { (key: String) in
                    try DurableFile.write(
                        path, Array("[default]\naws_access_key_id=\(key)\naws_secret_access_key=s\n".utf8))
                }
                try write("OLD")
                let blobs = try await BlobStores.bucket(
                    try store.place("p"), credentials: S3Credentials(file: path), source: .file(path),
                    timing: .forTests()
                ).blobs
                store.fail(.answer(403, code: "InvalidAccessKeyId"), signer: "OLD")
                // The same key is not tried twice.
                await #expect(throws: StorageError.self) { try await blobs.write("a", [1]) }
                try write("NEW")
                try await blobs.write("a", [1])
                let authorization = store.objects["p/blobs/a"]?.headers["authorization"] ?? ""
                #expect(authorization.contains("Credential=NEW/"))
                // The first of several requests under way reads the file; the others go on with what it found.
                try write("NEWER")
                store.fail(.answer(403, code: "InvalidAccessKeyId"), signer: "NEW")
                try await blobs.write((0..<8).map { Blob(name: "many-\($0)", bytes: [1]) })
                #expect(try await blobs.list().count == 9)
            }
        }
    }
}

extension StorageError {
    fileprivate var isFailing: Bool {
        if case .objectStoreFails = self { true } else { false }
    }

    fileprivate var refusal: String? {
        if case .objectStoreRefuses(let detail) = self { detail } else { nil }
    }
}
