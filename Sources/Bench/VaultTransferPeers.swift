import CryptoProvider
import Encodings
import Foundation
import Interface

/// A member's vault, as far as bytes go up and down.
final class TransferVault {
    private let member: ListenersMember
    private let line: TransferLine
    private let compartment = TransferVault.identifier()
    private var sequence: Int64 = 0
    private var file = ""
    private var chunk = Bytes(repeating: 0, count: 1 << 20)

    /// Makes a vault with slots that no PIN opens.
    init(_ member: ListenersMember, port: Int) throws {
        self.member = member
        line = try TransferLine(port: port)
        let questions = try (0..<4).map { _ in try GuardQuestion(RandomBytes.make(32)) }
        let enrolment = try member.ask(
            "POST", "/api/vault/guard/enrolments",
            NewVaultEnrolment(blinded: questions.map { BenchAuthenticator.text($0.blinded) }))
        let pins = questions.enumerated().map { slot, question in
            NewVaultPIN(
                slot: slot, sealed: BenchAuthenticator.text(RandomBytes.make(140)),
                verifier: BenchAuthenticator.text(question.blinded + RandomBytes.make(32)))
        }
        _ = try member.ask(
            "POST", "/api/vault",
            NewVault(
                salt: BenchAuthenticator.text(RandomBytes.make(16)), slots: [],
                enrolment: try PagesVisitor.text(enrolment, "enrolment"), pins: pins,
                compartment: NewVaultCompartment(id: compartment, head: BenchAuthenticator.text(RandomBytes.make(64)))))
    }

    /// Begins an upload.
    func begin(bytes: Int) throws -> String {
        let upload = NewVaultUpload(compartment: compartment, size: Int64(bytes))
        return try PagesVisitor.text(try member.ask("POST", "/api/vault/uploads", upload), "id")
    }

    func put(_ part: Bytes, _ number: Int, of upload: String) throws {
        _ = try line.ask(
            member.request(
                "PUT", "/api/vault/uploads/\(upload)/parts/\(number)", body: part,
                mediaType: "application/octet-stream"))
    }

    /// Makes a file of an upload.
    func keep(_ upload: String, bytes: Int) throws {
        file = Self.identifier()
        func text(_ count: Int) -> String { BenchAuthenticator.text(RandomBytes.make(count)) }
        let put = VaultChange.Put(
            id: file, revision: 1, place: text(44), key: text(60), metadata: text(512),
            versions: [.init(id: Self.identifier(), content: upload, key: text(60), size: Int64(bytes))])
        try change(VaultChange(sequence: sequence, head: text(64), put: [put]))
    }

    func get(_ upload: String, bytes: Int) throws {
        try line.drain(member.request("GET", "/api/vault/contents/\(upload)"), bytes: bytes, through: &chunk)
    }

    /// Removes the file.
    func remove() throws {
        try change(
            VaultChange(sequence: sequence, head: BenchAuthenticator.text(RandomBytes.make(64)), remove: [file]))
    }

    private func change(_ change: VaultChange) throws {
        _ = try member.ask("POST", "/api/vault/compartments/\(compartment)/changes", change)
        sequence += 1
    }

    private static func identifier() -> String {
        String(decoding: Hex.encode(RandomBytes.make(16)), as: UTF8.self)
    }
}

/// nginx with its own module for PUT, without sendfile.
final class TransferNginx {
    private let process = Process()
    private let line: TransferLine
    private let folder: String
    private var chunk = Bytes(repeating: 0, count: 1 << 20)

    init(program: String, folder: String) throws {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchError("there is no nginx at \(program): give --nginx")
        }
        self.folder = folder + "/nginx"
        try FileManager.default.createDirectory(atPath: self.folder + "/files", withIntermediateDirectories: true)
        let port = try ListenersServer.freePort()
        let configuration = """
            worker_processes auto; pid \(self.folder)/pid; error_log stderr warn;
            \(getuid() == 0 ? "user root;" : "")
            events {}
            http {
                access_log off; sendfile off; client_max_body_size 16m; keepalive_requests 1000000;
                client_body_temp_path \(self.folder)/bodies; proxy_temp_path \(self.folder)/p;
                fastcgi_temp_path \(self.folder)/f; uwsgi_temp_path \(self.folder)/u; scgi_temp_path \(self.folder)/s;
                output_buffers 2 512k; client_body_buffer_size 512k;
                server { listen 127.0.0.1:\(port); root \(self.folder)/files; location / { dav_methods PUT; } }
            }
            """
        try configuration.write(toFile: self.folder + "/conf", atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-c", self.folder + "/conf", "-g", "daemon off;"]
        try process.run()
        var found: TransferLine?
        for _ in 0..<200 where found == nil {
            found = try? TransferLine(port: port)
            if found == nil { usleep(25_000) }
        }
        guard let found else { throw BenchError("nginx does not listen within five seconds") }
        line = found
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Has a part written, and syncs it: nginx does not.
    func put(_ part: Bytes, _ number: Int) throws {
        _ = try line.ask(
            PagesVisitor.request("PUT", "/part-\(number)", body: part, mediaType: "application/octet-stream"))
        for path in ["\(folder)/files/part-\(number)", "\(folder)/files"] {
            let descriptor = unsafe open(path, O_RDONLY)
            guard descriptor >= 0, fsync(descriptor) == 0 else { throw BenchError("what nginx wrote cannot be synced") }
            close(descriptor)
        }
    }

    /// Makes one file of all parts.
    func join(parts: Int) throws {
        guard FileManager.default.createFile(atPath: folder + "/files/whole", contents: nil) else {
            throw BenchError("the folder of nginx takes no file")
        }
        let whole = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/files/whole"))
        defer { try? whole.close() }
        for number in 0..<parts {
            let url = URL(fileURLWithPath: folder + "/files/part-\(number)")
            try whole.write(contentsOf: try Data(contentsOf: url))
            try FileManager.default.removeItem(at: url)
        }
        // The disk would be at it while the file is read.
        try whole.synchronize()
    }

    func get(bytes: Int) throws {
        try line.drain(PagesVisitor.request("GET", "/whole"), bytes: bytes, through: &chunk)
    }
}
