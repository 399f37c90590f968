import Foundation
import Storage
import Synchronization

/// One engine, measured through the interface that the server uses.
struct EngineBench: Sendable {
    let name: String
    let database: any Database
    /// How many writes were stored since opening, by how many commits.
    let counts: @Sendable () -> WriteFigures

    /// What was written in one round.
    struct Acts: Sendable {
        let perSecond: Double
        let perCommit: Double
    }

    /// Makes the tables and the rows to be read.
    func prepare() async throws {
        try await database.migrate([BenchStore.migration])
        try await database.write { try BenchStore(transaction: $0).fill() }
    }

    /// Reads rows by their keys, each in a transaction of its own.
    ///
    /// - Returns: how many a second.
    func reads(clients: Int, seconds: Double) async throws -> Double {
        try await rate(lanes: clients, seconds: seconds) { [database] in
            let id = Int64.random(in: 0..<BenchStore.rows)
            _ = try await database.read { try BenchStore(transaction: $0).balance(id) }
        }
    }

    /// Writes acts, each waiting until it is durable.
    func acts(writers: Int, seconds: Double) async throws -> Acts {
        let before = counts()
        let perSecond = try await rate(lanes: writers, seconds: seconds) { [database] in
            let (id, account) = (UUID().uuidString, Int64.random(in: 0..<BenchStore.rows))
            try await database.write {
                try BenchStore(transaction: $0).act(id, account: account, content: BareCommitter.act)
            }
        }
        let after = counts()
        return Acts(
            perSecond: perSecond,
            perCommit: Double(after.writes - before.writes) / Double(max(1, after.commits - before.commits)))
    }

    private func rate(
        lanes: Int, seconds: Double, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let total = Mutex(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<lanes {
                group.addTask {
                    var done = 0
                    while clock.now < end {
                        try await body()
                        done += 1
                    }
                    return done
                }
            }
            for try await done in group { total.withLock { $0 += done } }
        }
        return Double(total.withLock(\.self)) / (Double(start.duration(to: clock.now) / .microseconds(1)) / 1e6)
    }
}

/// The least that a durable group commit can cost: appends to a file, and waits for the disk.
struct BareCommitter {
    let path: String

    /// What an act writes, about as long as a log entry.
    static let act = String(repeating: "x", count: 300)

    /// - Returns: how many acts a second, with so many in each group.
    func perSecond(groupsOf size: Int, seconds: Double) throws -> Double {
        try withFile { append in
            let clock = ContinuousClock()
            let start = clock.now
            let end = start + .seconds(seconds)
            var groups = 0
            while clock.now < end {
                try append(size)
                groups += 1
            }
            return Double(groups * size) / (Double(start.duration(to: clock.now) / .microseconds(1)) / 1e6)
        }
    }

    /// - Returns: what each of so many acts took, one after the other, in seconds.
    func seconds(of acts: Int) throws -> [Double] {
        try withFile { append in
            try (0..<acts).map { _ in
                let watch = Stopwatch()
                try append(1)
                return watch.read().seconds
            }
        }
    }

    /// Gives a function that makes so many acts durable.
    private func withFile<T>(_ body: ((_ acts: Int) throws -> Void) throws -> T) throws -> T {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchError("\(path) cannot be written") }
        defer { close(descriptor) }
        return try body { acts in
            let group = [UInt8](repeating: UInt8(ascii: "x"), count: Self.act.utf8.count * acts)
            let written = unsafe group.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard written == group.count, fdatasync(descriptor) == 0 else {
                throw BenchError("\(path) cannot be written")
            }
        }
    }
}

/// `pgbench -S` of PostgreSQL's own programs, on the same database.
struct PgbenchPeer {
    let database: String
    let clients: Int

    /// Makes pgbench's tables, at scale 1.
    func prepare() throws { _ = try pgbench(["--initialize", "--quiet", "--scale", "1"]) }

    /// Reads a number of rows.
    ///
    /// To read until a time is over would take an alarm, and our threads block its signal, as do those that they start.
    ///
    /// - Returns: how many reads a second.
    func run(reads: Double) throws -> Double {
        let text = try pgbench([
            "--select-only", "--protocol", "prepared", "--no-vacuum", "--client", String(clients), "--jobs", "1",
            "--transactions", String(max(100, Int(reads) / clients)),
        ])
        return try Self.rate(text)
    }

    /// Does what a script says.
    ///
    /// - Parameter variables: of the script, what each client begins with.
    /// - Returns: how many times a second.
    func run(script: String, times: Int, variables: [String: Int]) throws -> Double {
        try Self.rate(
            try pgbench(
                [
                    "--file", script, "--protocol", "prepared", "--no-vacuum", "--client", String(clients), "--jobs",
                    "2", "--transactions", String(max(1, times / clients)),
                ] + variables.flatMap { ["--define", "\($0.key)=\($0.value)"] }))
    }

    private static func rate(_ text: String) throws -> Double {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) })
        else { throw BenchError("pgbench says no rate: \(text)") }
        return rate
    }

    private func pgbench(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pgbench"] + arguments + [database]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("pgbench failed; on Debian it comes with the package postgresql")
        }
        return text
    }
}
