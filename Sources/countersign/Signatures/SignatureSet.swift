import ArgumentParser
import Encodings
import Foundation
import HandSignatures

/// Which signatures a command learns from or is tried on.
struct SignatureSetOptions: ParsableArguments {
    @Argument(
        help: """
            Folders with a folder for each writer, and in it genuine/ and forgery/ with captures; or research files: CSV \
            with a line for each sample, packed with gzip or not.
            """, completion: .file())
    var files: [String]
    @Flag(
        help: """
            Turn signatures with pens into what a finger on a screen gives: no pressure, 60 samples a second. Those \
            with fingers stay as they are.
            """)
    var touch = false
    @Option(help: "The unit of angles in CSV of Biometrix in a folder.") var angles: CaptureOptions.Angles = .radians
    @Option(
        parsing: .upToNextOption,
        help: "The length of a time step that does not go forward, in ms: one for each file or folder, or one for all.")
    var clockStep: [Int] = [1]

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("name at least one file") }
        guard clockStep.count == 1 || clockStep.count == files.count, clockStep.allSatisfy({ (1...100).contains($0) })
        else { throw ValidationError("--clock-step: one number from 1 to 100, or one for each file") }
    }

    /// Reads all captures.
    ///
    /// - Throws: also when some are of pens and some of fingers, unless pens are taken for fingers.
    func recordings(_ bar: ProgressBar) throws -> Recordings {
        let sets = try files.map { try RecordedSet($0, angles: angles.unit, bar) }
        guard let first = sets.first else { throw CommandError("name at least one file") }
        if !touch, let other = sets.first(where: { $0.tool != first.tool }) {
            throw CommandError(
                "\(first.path) was written with \(first.tool.plural), \(other.path) with \(other.tool.plural): each has a "
                    + "model of its own; name them apart, or give --touch, which takes pens for fingers")
        }
        return Recordings(sets: sets, tool: touch ? .touch : first.tool)
    }

    /// Compares; long work, on all processors.
    func compared(_ recordings: Recordings, _ bar: ProgressBar) async throws -> [SignatureSet<PreparedSignature>] {
        let isTouch = recordings.tool == .touch
        return try await compared(recordings, bar) { (capture, step) throws(CaptureError) in
            try PreparedSignature(capture, isTouch ? .touch(clockStep: step) : .pen(clockStep: step))
        }
    }

    /// The same, by the method of Biometrix.
    func comparedAsOriginal(
        _ recordings: Recordings, _ bar: ProgressBar
    ) async throws -> [SignatureSet<OriginalSignature>] {
        try await compared(recordings, bar) { (capture, step) throws(CaptureError) in
            try OriginalSignature(capture, clockStep: step)
        }
    }

    private func compared<Signature>(
        _ recordings: Recordings, _ bar: ProgressBar,
        _ prepare: (Capture, _ clockStep: Int64) throws(CaptureError) -> Signature
    ) async throws -> [SignatureSet<Signature>] {
        var sets: [SignatureSet<Signature>] = []
        for (number, recorded) in recordings.sets.enumerated() {
            let step = Int64(clockStep[clockStep.count == 1 ? 0 : number]) * 1_000
            let isPenForFinger = touch && recorded.tool == .pen
            sets.append(
                try await SignatureSet(
                    recorded, bar,
                    taken: { capture throws(CaptureError) in
                        isPenForFinger ? try capture.asTouch() : capture
                    },
                    prepare: { capture throws(CaptureError) in try prepare(capture, step) }))
        }
        return sets
    }
}

/// The users of a research file or of a folder, compared.
struct SignatureSet<Signature: SignatureComparison>: Sendable {
    /// The name of the file or folder.
    let name: String
    /// In the order of their names.
    let users: [ComparedUser<Signature>]
    /// The description of the set in a model that learns from it.
    let source: SignatureModel.Source

    /// Compares signatures of at least two users, each with more genuine ones than an enrolment has.
    ///
    /// - Parameter taken: for what a recording is taken before it is prepared.
    init(
        _ recorded: RecordedSet, _ bar: ProgressBar, taken: (Capture) throws(CaptureError) -> Capture,
        prepare: (Capture) throws(CaptureError) -> Signature
    ) async throws {
        name = recorded.name
        var traits: [RecordingTraits] = []
        let prepared = try recorded.users.map { user in
            func one(_ recorded: Capture) throws(CaptureError) -> Signature {
                let capture = try taken(recorded)
                traits.append(try RecordingTraits(capture))
                return try prepare(capture)
            }
            return Prepared(
                name: user.name, genuine: try Self.prepare(user.genuine, one),
                forged: try Self.prepare(user.forged, one))
        }
        source = SignatureModel.Source(
            name: Bytes(text: recorded.name), users: prepared.count,
            traits: RecordingTraits(ofSet: traits, tool: recorded.tool))
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
        let genuine, forged: [Signature]
    }

    private static func prepare(
        _ signatures: [RecordedSet.Signature], _ prepare: (Capture) throws(CaptureError) -> Signature
    ) throws -> [Signature] {
        var prepared: [Signature] = []
        for one in signatures {
            do throws(CaptureError) {
                prepared.append(try prepare(one.capture))
            } catch {
                throw CommandError("\(one.source) cannot be compared: \(error)")
            }
        }
        return prepared
    }
}
