import Foundation

@testable import countersign

/// Debian's nginx with the configuration of `deploy/`; only ports, names and the certificate differ.
final class Proxy {
    /// Where it is; `nil` when it is not installed.
    static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let port: Int
    let plainPort: Int
    /// What it shows, PEM: it signed itself.
    let certificate: String
    var url: String { "https://localhost:\(port)" }
    private let process = Process()

    /// Starts it in a folder of its own, in front of a server on another port.
    init(folder: TemporaryFolder, upstream: Int, port: Int) async throws {
        self.port = port
        plainPort = try DemoServer.freePort()
        certificate = folder.path("proxy.pem")
        let made = try await Program.runAside(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                folder.path("proxy.key"), "-out", certificate,
            ])
        guard made.status == 0 else { throw Program.Missing(description: made.errors) }
        let site = try Self.replace(
            try String(contentsOf: Program.repository.appendingPathComponent("deploy/nginx.conf"), encoding: .utf8),
            [
                ("server 127.0.0.1:8080;", "server 127.0.0.1:\(upstream);"),
                ("listen 443 ssl;", "listen 127.0.0.1:\(port) ssl;"), ("listen [::]:443 ssl;", ""),
                ("listen 80;", "listen 127.0.0.1:\(plainPort);"), ("listen [::]:80;", ""),
                ("/etc/ssl/sign.example.edu/chain.pem", certificate),
                ("/etc/ssl/sign.example.edu/key.pem", folder.path("proxy.key")),
                ("server_name sign.example.edu;", "server_name localhost;"),
            ])
        try site.write(toFile: folder.path("site.conf"), atomically: true, encoding: .utf8)
        try Self.main(folder).write(toFile: folder.path("nginx.conf"), atomically: true, encoding: .utf8)
        guard let program = Self.program else { throw Program.Missing(description: "nginx is not here") }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-p", folder.url.path, "-c", folder.path("nginx.conf"), "-e", "stderr"]
        try process.run()
    }

    /// The surroundings of a site in Debian's own file, without anything of the system's.
    private static func main(_ folder: TemporaryFolder) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { kind in
            "\(kind)_temp_path \(folder.path("nginx-\(kind)"));"
        }
        return """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(folder.path("nginx.pid"));
            error_log stderr warn;
            events { worker_connections 256; }
            http {
                access_log off;
                \(temporary.joined(separator: "\n    "))
                include \(folder.path("site.conf"));
            }

            """
    }

    /// Replaces texts, each of which must be there: the test is of the file in `deploy/`, not of one that has drifted
    /// from it.
    private static func replace(_ text: String, _ changes: [(String, String)]) throws -> String {
        try changes.reduce(text) { text, change in
            guard text.contains(change.0) else {
                throw Program.Missing(description: "deploy/nginx.conf has no '\(change.0)'")
            }
            return text.replacingOccurrences(of: change.0, with: change.1)
        }
    }

    /// Waits until it answers, or has ended.
    func waitUntilListening() async throws {
        let question = ["s_client", "-connect", "127.0.0.1:\(port)"]
        while process.isRunning, try await Program.runAside("openssl", question).status != 0 {
            try await Task.sleep(for: .milliseconds(50))
        }
        guard process.isRunning else { throw Program.Missing(description: "nginx has ended at its start") }
    }

    /// Stops it, and waits for its end.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    deinit { stop() }
}
