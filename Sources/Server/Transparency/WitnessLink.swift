import CryptoProvider
import Encodings
import Transparency

/// Why a witness has not signed.
enum WitnessFailure: Error, Equatable {
    /// It did not answer, or not in time.
    case unreachable(String)
    /// It has failed just now; the next attempt is a moment later.
    case resting
    /// It has refused with this status.
    case refused(Int)
    /// It has signed a larger tree than this one: another process of ours was faster, or this log was set back.
    case ahead(UInt64)
    /// It answered something that is not its signature.
    case unusable(TransparencyError)
}

/// The connection to one witness: remembers what it has signed, and lets it rest after failures.
actor WitnessLink {
    let key: NoteVerifierKey
    private let url: String
    private let transport: any WitnessTransport
    private let clock: ServerClock
    private let suite = SwiftCryptoSuite()
    /// The size of the tree that it signed last, as far as we know.
    private var known: UInt64 = 0
    private var failures = 0
    private var restsUntil: Duration = .zero

    /// Requests for one checkpoint: the first may meet a witness that knows another size than we thought.
    private static let attempts = 3
    /// The longest time that a witness rests after failures in a row.
    private static let longestRest: Duration = .seconds(30)

    init(key: NoteVerifierKey, url: String, transport: any WitnessTransport, clock: ServerClock) {
        self.key = key
        self.url = url
        self.transport = transport
        self.clock = clock
    }

    /// Asks the witness to sign a checkpoint.
    ///
    /// - Parameter proof: makes the consistency proof from an earlier size.
    func cosign(
        size: UInt64, note: SignedNote, proof: @Sendable (UInt64) async throws -> [Bytes]
    ) async throws(WitnessFailure) -> NoteSignature {
        guard clock.uptime() >= restsUntil else { throw .resting }
        do throws(WitnessFailure) {
            let line = try await ask(size, note, proof)
            failures = 0
            return line
        } catch .ahead(let size) {
            // It works: another process of ours was faster.
            failures = 0
            throw .ahead(size)
        } catch {
            failures += 1
            // The first failure is tried again at once: a restart should not cost a second.
            let rest = failures < 2 ? .zero : Duration.milliseconds(125 << min(failures, 8))
            restsUntil = clock.uptime() + min(rest, Self.longestRest)
            throw error
        }
    }

    private func ask(
        _ size: UInt64, _ note: SignedNote, _ proof: @Sendable (UInt64) async throws -> [Bytes]
    ) async throws(WitnessFailure) -> NoteSignature {
        var from = min(known, size)
        for _ in 0..<Self.attempts {
            let answer: (status: Int, body: Bytes)
            do {
                let hashes = from > 0 && from < size ? try await proof(from) : []
                let request = try WitnessRequest(oldSize: from, proof: hashes, note: note.encoded())
                answer = try await transport.addCheckpoint(request.encoded(), at: url)
            } catch {
                throw .unreachable("\(error)")
            }
            switch answer.status {
            case 200:
                let line = try line(in: answer.body, over: note.text)
                known = max(known, size)
                return line
            case 409:
                guard let theirs = Self.size(in: answer.body) else { throw .refused(409) }
                known = theirs
                guard theirs <= size else { throw .ahead(theirs) }
                // It signs another tree of this size: no proof will change that.
                guard theirs != from else { throw .refused(409) }
                from = theirs
            default: throw .refused(answer.status)
            }
        }
        throw .refused(409)
    }

    private func line(in answer: Bytes, over text: Bytes) throws(WitnessFailure) -> NoteSignature {
        do {
            return try WitnessAnswer.cosignature(in: answer, by: key, over: text, suite: suite).line
        } catch {
            throw .unusable(error)
        }
    }

    /// The decimal size in a 409 answer.
    private static func size(in body: Bytes) -> UInt64? {
        guard body.count <= 20, body.last == 0x0A else { return nil }
        return UInt64(String(decoding: body.dropLast(), as: UTF8.self)).flatMap {
            $0 <= MerkleTree.maximumSize ? $0 : nil
        }
    }
}
