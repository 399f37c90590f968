import Foundation
import Glibc

/// The server that listeners listen to, and what it costs this machine.
final class ListenersServer: Sendable {
    /// What it calls itself.
    let url: String
    let port: Int
    /// The set-up code of one that was started here.
    let code: String
    private let process: Int32?
    private let isOwn: Bool

    /// A server that runs and is set up.
    init(url: String, process: Int32?) throws {
        guard let parts = URLComponents(string: url), parts.scheme == "http", parts.host == "localhost",
            let port = parts.port
        else { throw BenchError("give the server's address as http://localhost:PORT") }
        (self.url, self.port, self.process, isOwn, code) = (url, port, process, false, "")
    }

    /// One of this process, which is set up.
    init(port: Int) { (url, self.port, process, isOwn, code) = (PagesVisitor.url, port, nil, false, "") }

    /// Starts one over a folder.
    ///
    /// - Parameters:
    ///   - settings: further flags.
    ///   - database: of PostgreSQL; a file of SQLite in the folder if `nil`.
    ///   - isFirst: whether the organisation is not set up yet.
    init(
        program: String?, directory: String, settings: [String], database: String? = nil, isFirst: Bool = true
    ) throws {
        let path = try program ?? Self.beside("countersign")
        port = try Self.freePort()
        url = PagesVisitor.url
        isOwn = true
        let arguments = [
            "serve", "--data", directory, "--port", String(port), "--public-url", url, "--log-level", "warning",
        ]
        let (process, output) = try Self.start(
            path, arguments + settings + (database.map { ["--database", $0] } ?? []), isRead: isFirst)
        self.process = process
        code = isFirst ? try Self.code(output) : ""
        if !isFirst { try waitUntilReady("/readyz") }
    }

    /// Starts one of the HTTP library alone.
    init(bareOn port: Int? = nil) throws {
        self.port = try port ?? Self.freePort()
        (url, isOwn, code) = (PagesVisitor.url, true, "")
        process = try Self.start(try Self.beside("countersign-bench"), ["bare", String(self.port)], isRead: false).0
        try waitUntilReady("/hello")
    }

    private static func beside(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: own).deletingLastPathComponent().path + "/" + name
    }

    private static func start(_ path: String, _ arguments: [String], isRead: Bool) throws -> (Int32, FileHandle) {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchError("there is no program \(path)")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("COUNTERSIGN_") }
        let output = Pipe()
        process.standardOutput = isRead ? output : FileHandle.nullDevice
        try process.run()
        return (process.processIdentifier, output.fileHandleForReading)
    }

    /// The set-up code, which a server prints at its first start.
    private static func code(_ output: FileHandle) throws -> String {
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { throw BenchError("the server ended at its start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            guard let found = text.range(of: "--code "),
                let end = text[found.upperBound...].firstIndex(where: \.isWhitespace)
            else { continue }
            return String(text[found.upperBound..<end])
        }
    }

    private func waitUntilReady(_ path: String) throws {
        for _ in 0..<600 {
            if (try? ListenersMember.answer(PagesVisitor.request("GET", path), port: port)) != nil { return }
            usleep(50_000)
        }
        throw BenchError("the server does not answer within 30 seconds")
    }

    /// Host and port, as requests name them.
    var host: String { String(url.dropFirst("http://".count)) }

    /// Ends it, if it was started here.
    func stop() {
        guard isOwn, let process else { return }
        kill(process, SIGTERM)
        for _ in 0..<200 where kill(process, 0) == 0 { usleep(50_000) }
    }

    /// User and system time until now; nothing, if nobody knows the process.
    func processorSeconds() -> Double {
        guard let text = read("stat"), let end = text.lastIndex(of: ")") else { return 0 }
        // The third field comes behind the name.
        let fields = text[end...].split(separator: " ").dropFirst()
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +)
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// How many files and connections it has open; 0 if nobody knows the process.
    func descriptors() -> Int {
        process.flatMap { try? FileManager.default.contentsOfDirectory(atPath: "/proc/\($0)/fd").count } ?? 0
    }

    func residentMebibytes() -> Double {
        let line = read("status")?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kibibytes ?? 0) / 1_024
    }

    private func read(_ name: String) -> String? {
        process.flatMap { try? String(contentsOfFile: "/proc/\($0)/\(name)", encoding: .utf8) }
    }

    /// Raises this process's limit of open files, which processes that it starts inherit.
    static func allowFiles(_ count: Int) throws {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = rlim_t(count)
        limit.rlim_max = max(limit.rlim_max, limit.rlim_cur)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw BenchError("\(count) open files are needed and not allowed: raise 'ulimit -n', or ask for fewer")
        }
    }

    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard status == 0 else { throw BenchError("no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
