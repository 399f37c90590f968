import ArgumentParser
import Encodings
import Foundation
import HandSignatures

/// Which signatures a command learns from or is tried on.
struct SignatureSetOptions: ParsableArguments {
    @Argument(help: "Research files: CSV with a line for each sample, packed with gzip or not.") var files: [String]
    @Flag(help: "Signatures as a finger on a screen gives them: no pressure, 60 samples a second.") var touch = false
    @Option(
        parsing: .upToNextOption,
        help: "What a time step becomes that does not go forward, in ms: one for each file, or one for all.")
    var clockStep: [Int] = [1]

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("name at least one file") }
        guard clockStep.count == 1 || clockStep.count == files.count, clockStep.allSatisfy({ (1...100).contains($0) })
        else { throw ValidationError("--clock-step: one number from 1 to 100, or one for each file") }
    }

    var tool: Capture.Tool { touch ? .touch : .pen }

    /// Reads and compares; long work, on all processors.
    func read(_ bar: ProgressBar) async throws -> [SignatureSet<PreparedSignature>] {
        try await read(bar) { (capture, step) throws(CaptureError) in
            try PreparedSignature(capture, touch ? .touch(clockStep: step) : .pen(clockStep: step))
        }
    }

    /// The same, by the method of Biometrix.
    func readOriginal(_ bar: ProgressBar) async throws -> [SignatureSet<OriginalSignature>] {
        try await read(bar) { (capture, step) throws(CaptureError) in
            try OriginalSignature(capture, clockStep: step)
        }
    }

    private func read<Signature>(
        _ bar: ProgressBar, _ prepare: (Capture, _ clockStep: Int64) throws(CaptureError) -> Signature
    ) async throws -> [SignatureSet<Signature>] {
        var sets: [SignatureSet<Signature>] = []
        for (number, file) in files.enumerated() {
            let step = Int64(clockStep[clockStep.count == 1 ? 0 : number]) * 1_000
            sets.append(
                try await SignatureSet(file, bar) { capture throws(CaptureError) in
                    try prepare(touch ? capture.asTouch() : capture, step)
                })
        }
        return sets
    }
}

/// The users of a research file, compared.
struct SignatureSet<Signature: SignatureComparison>: Sendable {
    /// The file's name.
    let name: String
    /// In the order of their names.
    let users: [ComparedUser<Signature>]

    /// Reads a file and compares its signatures.
    init(_ file: String, _ bar: ProgressBar, prepare: (Capture) throws(CaptureError) -> Signature) async throws {
        name = URL(fileURLWithPath: file).lastPathComponent
        let prepared = try Self.prepare(file, prepare)
        guard prepared.count > 1 else { throw CommandError("\(file) has signatures of one user only") }
        for user in prepared where user.genuine.count <= Enrolment.size || user.forged.isEmpty {
            throw CommandError(
                "\(file): user \(String(decoding: user.name, as: UTF8.self)) has too few signatures: more than "
                    + "\(Enrolment.size) genuine and one forged are needed")
        }
        users = await withTaskGroup(of: (Int, ComparedUser<Signature>).self) { group in
            for (place, user) in prepared.enumerated() {
                let others = prepared.indices.filter { $0 != place }.map { prepared[$0].genuine[0] }
                group.addTask {
                    let compared = ComparedUser(
                        name: user.name, genuine: user.genuine, forged: user.forged, others: others)
                    return (place, compared)
                }
            }
            var compared: [(Int, ComparedUser<Signature>)] = []
            for await one in group {
                compared.append(one)
                bar.show(UInt64(compared.count), UInt64(prepared.count))
            }
            return compared.sorted { $0.0 < $1.0 }.map(\.1)
        }
        bar.clear()
    }

    private struct Prepared: Sendable {
        let name: Bytes
        var genuine: [Signature] = []
        var forged: [Signature] = []
    }

    private static func prepare(
        _ file: String, _ prepare: (Capture) throws(CaptureError) -> Signature
    ) throws -> [Prepared] {
        let bytes = try Gunzip.unpack(try Files.read(file))
        var users: [Prepared] = []
        do throws(CaptureError) {
            for one in try ResearchCSV.read(bytes) {
                if users.last?.name != one.user { users.append(Prepared(name: one.user)) }
                let signature = try prepare(one.capture)
                if one.isForgery {
                    users[users.count - 1].forged.append(signature)
                } else {
                    users[users.count - 1].genuine.append(signature)
                }
            }
        } catch {
            throw CommandError("\(file) is no research file that can be used: \(error)")
        }
        return users.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }
}
