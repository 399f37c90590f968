import CryptoProvider
import Encodings
import Storage
import Transparency

/// Asks the witnesses of the policy to sign, until enough have.
///
/// One that is slow or away does not hold up the others: as soon as the quorum is there the checkpoint may be shown.
actor Cosigner {
    private let signer: CheckpointSigner
    private let files: LogFiles
    private let database: any Database
    private let transport: any WitnessTransport
    private let clock: ServerClock
    private let suite = SwiftCryptoSuite()
    /// For all witnesses together, however they are reached.
    private static let patience: Duration = .seconds(30)
    private var links: [String: WitnessLink] = [:]
    /// The newest checkpoint that enough witnesses have signed.
    private(set) var cosigned: LogStore.Sealed

    /// - Parameter cosigned: what the database has.
    init(
        signer: CheckpointSigner, files: LogFiles, database: any Database, transport: any WitnessTransport,
        clock: ServerClock, cosigned: LogStore.Sealed
    ) {
        self.signer = signer
        self.files = files
        self.database = database
        self.transport = transport
        self.clock = clock
        self.cosigned = cosigned
    }

    /// Has the newest sealed checkpoint signed, or takes over what another process got signed.
    ///
    /// - Returns: how many entries are in a checkpoint that may be shown.
    /// - Throws: `LogError.unwitnessed`.
    func advance() async throws -> UInt64 {
        let signer = signer
        let (standing, stored) = try await database.read { transaction in
            (
                try LogStore(transaction: transaction).standing(or: signer),
                try LogPolicyStore(transaction: transaction).cosigned()
            )
        }
        let (sealed, current) = standing
        guard current.policy.needsWitnesses else { return UInt64(sealed.size) }
        if stored.size >= cosigned.size { cosigned = stored }
        if cosigned.size < sealed.size {
            do {
                try await take(try await cosign(sealed, current.policy), size: sealed.size)
            } catch TransparencyLog.LogError.unwitnessed(let failures) {
                try await followOthers(from: sealed, failures)
            }
        }
        return UInt64(cosigned.size)
    }

    private func take(_ note: Bytes, size: Int64) async throws {
        let next = LogStore.Sealed(size: size, checkpoint: String(decoding: note, as: UTF8.self))
        if try await database.write({ try LogPolicyStore(transaction: $0).advance(to: next) }) {
            cosigned = next
        } else {
            cosigned = try await database.read { try LogPolicyStore(transaction: $0).cosigned() }
        }
    }

    /// Takes over what another process got signed in between, or asks again for what it has sealed since.
    ///
    /// The witnesses may have signed that before this process asked for less.
    private func followOthers(from asked: LogStore.Sealed, _ failures: [String]) async throws {
        let signer = signer
        let (standing, stored) = try await database.read { transaction in
            (
                try LogStore(transaction: transaction).standing(or: signer),
                try LogPolicyStore(transaction: transaction).cosigned()
            )
        }
        let (sealed, current) = standing
        if stored.size >= asked.size {
            cosigned = stored
        } else if sealed.size > asked.size, current.policy.needsWitnesses {
            try await take(try await cosign(sealed, current.policy), size: sealed.size)
        } else {
            throw TransparencyLog.LogError.unwitnessed(failures)
        }
    }

    /// A checkpoint with the signatures of as many witnesses as the policy asks for.
    ///
    /// - Throws: `LogError.unwitnessed`, which names those that are missing.
    func cosign(_ sealed: LogStore.Sealed, _ policy: LogPolicy) async throws -> Bytes {
        let size = UInt64(sealed.size)
        // A checkpoint sealed under an earlier policy may lack a key that this one names.
        let root = try Checkpoint.parse(try SignedNote.parse(Bytes(text: sealed.checkpoint)).text).root
        var note = try SignedNote.parse(try signer.sign(size: size, root: root, policy: policy))
        let unsigned = note
        let (answers, gather) = AsyncStream.makeStream(of: Answer.self)
        for witness in policy.witnesses {
            let link = link(to: witness)
            let name = String(decoding: witness.name, as: UTF8.self)
            // Not a child task: a slow witness may go on after the others were enough.
            Task { [files, suite] in
                do throws(WitnessFailure) {
                    let line = try await link.cosign(size: size, note: unsigned) { from in
                        try await files.consistency(from: from, to: size, suite: suite)
                    }
                    gather.yield(Answer(name: name, result: .success(line)))
                } catch {
                    gather.yield(Answer(name: name, result: .failure(error)))
                }
            }
        }
        let timer = Task { [clock] in
            try await clock.sleep(Self.patience)
            gather.finish()
        }
        defer { timer.cancel() }
        var failures: [String] = []
        var silent = Set(policy.witnesses.map { String(decoding: $0.name, as: UTF8.self) })
        var answered = 0
        for await answer in answers {
            answered += 1
            silent.remove(answer.name)
            switch answer.result {
            case .success(let line):
                note.add(line)
                if let verified = try? VerifiedCheckpoint.verify(note.encoded(), policy: policy, suite: suite) {
                    return verified.note
                }
            case .failure(let failure): failures.append("\(answer.name): \(failure)")
            }
            if answered == policy.witnesses.count { break }
        }
        failures += silent.map { "\($0): no answer in time" }
        throw TransparencyLog.LogError.unwitnessed(failures.sorted())
    }

    private struct Answer {
        let name: String
        let result: Result<NoteSignature, WitnessFailure>
    }

    private func link(to witness: LogPolicy.Witness) -> WitnessLink {
        let url = String(decoding: witness.url ?? [], as: UTF8.self)
        let place = "\(String(decoding: witness.key.encoded(), as: UTF8.self)) \(url)"
        if let link = links[place] { return link }
        let link = WitnessLink(key: witness.key, url: url, transport: transport, clock: clock)
        links[place] = link
        return link
    }
}
