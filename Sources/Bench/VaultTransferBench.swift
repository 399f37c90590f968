import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Interface

/// `countersign-bench vault-transfer`: a file's ciphertext up and down, beside nginx with the same bytes.
struct VaultTransferBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault-transfer",
        abstract: "Upload and download a file's ciphertext, beside nginx accepting and serving the same bytes.",
        discussion: """
            One client, one connection, the same code for both. A file goes up in parts of 8 MiB; ours are durable when \
            they are answered, and what nginx has written is synced after each part. It comes down whole, by both \
            without sendfile. Rounds take turns.
            """)

    @Option(help: "MiB of ciphertext, a multiple of 8.") var size = 1_024
    @Option(help: "How many rounds.") var rounds = 3
    @Option(help: "The server's program.") var program: String?
    @Option(help: "nginx's program.") var nginx = "/usr/sbin/nginx"
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard size > 0, size <= 8_192, size % 8 == 0, (1...100).contains(rounds) else {
            throw ValidationError("Give a multiple of 8 MiB up to 8192, and 1 to 100 rounds.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.currentDirectoryPath + "/.vault-transfer-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ListenersServer(program: program, directory: folder + "/data", settings: [])
        defer { server.stop() }
        _ = try await PagesVisitor(load: LoadGenerator(port: server.port, connections: 1), code: server.code)
        let member = try ListenersMember(number: 0, run: "v", on: server)
        let vault = try TransferVault(member, port: server.port)
        let peer = try TransferNginx(program: nginx, folder: folder)
        defer { peer.stop() }

        let part = Bytes((0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        let parts = size / 8
        var figures = Figures(mebibytes: size)
        // The first round warms everything up.
        for round in 0...rounds {
            let path = try vault.begin(bytes: parts * part.count)
            let up = try Self.seconds {
                for number in 0..<parts { try vault.put(part, number, of: path) }
            }
            try vault.keep(path, bytes: parts * part.count)
            let peerUp = try Self.seconds {
                for number in 0..<parts { try peer.put(part, number) }
            }
            let down = try Self.seconds { try vault.get(path, bytes: parts * part.count) }
            try peer.join(parts: parts)
            let peerDown = try Self.seconds { try peer.get(bytes: parts * part.count) }
            try vault.remove()
            guard round > 0 else { continue }
            figures.add(up: up, peerUp: peerUp, down: down, peerDown: peerDown)
        }
        figures.residentMebibytes = server.residentMebibytes()
        try figures.print(json: json)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let watch = Stopwatch()
        try body()
        return watch.read().seconds
    }

    private struct Figures: BenchFigures {
        let mebibytes: Int
        /// MiB a second, a value for each round.
        private var upload: [Double] = []
        private var nginxUpload: [Double] = []
        private var download: [Double] = []
        private var nginxDownload: [Double] = []
        var residentMebibytes = 0.0

        init(mebibytes: Int) { self.mebibytes = mebibytes }

        mutating func add(up: Double, peerUp: Double, down: Double, peerDown: Double) {
            let size = Double(mebibytes)
            upload.append(size / up)
            nginxUpload.append(size / peerUp)
            download.append(size / down)
            nginxDownload.append(size / peerDown)
        }

        var words: String {
            func line(_ what: String, _ ours: [Double], _ peers: [Double]) -> String {
                let (own, peer) = (StorageBench.median(ours), StorageBench.median(peers))
                return "\(what): \(Int(own)) MiB a second, nginx \(Int(peer)): \(String(format: "%.2f", own / peer))"
            }
            return """
                \(line("up", upload, nginxUpload))
                \(line("down", download, nginxDownload))
                medians of \(upload.count) rounds of \(mebibytes) MiB; the server had \(Int(residentMebibytes)) MiB resident
                """
        }
    }
}

/// A connection of the client.
final class TransferLine {
    private var lane: Lane

    init(port: Int) throws { lane = try Lane(port: port) }

    deinit { close(lane.descriptor) }

    /// Sends a request, and waits for the answer.
    func ask(_ request: Bytes) throws -> Bytes {
        try lane.send(request)
        while true {
            if let body = try lane.receive() { return body }
        }
    }

    /// Sends a request, and reads so many bytes of the answer's body without keeping them.
    func drain(_ request: Bytes, bytes: Int, through chunk: inout Bytes) throws {
        try lane.send(request)
        var head: Bytes = []
        var left = Int.max
        while left > 0 {
            let count = unsafe recv(lane.descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw BenchError("the answer ended before its end") }
            guard left == .max else {
                left -= count
                continue
            }
            head += chunk[..<count]
            guard let end = Self.headEnd(head) else { continue }
            guard head.count > 12, head[9] == UInt8(ascii: "2") else {
                throw BenchError(String(decoding: head.prefix(200), as: UTF8.self))
            }
            left = bytes - (head.count - end)
        }
    }

    private static func headEnd(_ bytes: Bytes) -> Int? {
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4] == [13, 10, 13, 10] }.map { $0 + 4 }
    }
}
