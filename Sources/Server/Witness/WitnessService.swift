import CryptoProvider
import Encodings
import Storage
import Transparency

/// A witness at work: decides by what it signed before, remembers, then signs.
struct WitnessService: Sendable {
    let database: any Database
    let key: LogSigningKey
    let verifierKey: NoteVerifierKey
    /// The logs that are watched, each by the keys that it signs with.
    let logs: [NoteVerifierKey]
    let clock: ServerClock
    private let suite = SwiftCryptoSuite()
    /// Proofs kept of one log that has two histories.
    private static let contradictions: Int64 = 100

    init(
        database: any Database, key: LogSigningKey, verifierKey: NoteVerifierKey, logs: [NoteVerifierKey],
        clock: ServerClock
    ) {
        self.database = database
        self.key = key
        self.verifierKey = verifierKey
        self.logs = logs
        self.clock = clock
    }

    /// Why a request is not answered with a signature.
    enum Refusal: Error, Equatable {
        /// The body is no request.
        case malformed(TransparencyError)
        /// This witness does not watch that log.
        case unknownLog
        /// The checkpoint itself is in the way.
        case rule(WitnessRefusal)
    }

    /// Checks a request, remembers its checkpoint, and signs it (C2SP tlog-witness, add-checkpoint).
    ///
    /// Decision and memory are one transaction, which is durable before the signature exists. Two requests at a time
    /// cannot be signed for two histories, and a crash cannot make the witness forget.
    /// - Returns: signature lines.
    /// - Throws: `Refusal`.
    func add(_ body: Bytes) async throws -> Bytes {
        let request: WitnessRequest
        do {
            request = try WitnessRequest.parse(body)
        } catch {
            throw Refusal.malformed(error)
        }
        let keys = logs.filter { $0.name == request.checkpoint.origin }
        guard !keys.isEmpty else { throw Refusal.unknownLog }
        let now = clock.now()
        let shown = WitnessStore.Cosigned(request, time: now)
        let refusal = try await database.write { [suite] transaction -> WitnessRefusal? in
            let store = WitnessStore(transaction: transaction)
            let last = try store.find(origin: shown.origin)
            let known = try last?.checkpoint()
            do throws(WitnessRefusal) {
                _ = try WitnessRules.decide(request, last: known, keys: keys, suite: suite)
            } catch {
                // Both notes are signed by the log, so they prove what it did.
                if case .forked = error, let last {
                    try store.keep(shown, against: last, limit: Self.contradictions)
                }
                return error
            }
            try store.save(shown)
            return nil
        }
        if let refusal { throw Refusal.rule(refusal) }
        return try cosignature(over: try SignedNote.parse(request.note).text, time: now)
    }

    /// The newest checkpoint signed for a log: its note, with this witness's signature.
    ///
    /// - Returns: `nil` when there is none.
    func newest(origin: String) async throws -> Bytes? {
        guard let last = try await database.read({ try WitnessStore(transaction: $0).find(origin: origin) }) else {
            return nil
        }
        var note = try SignedNote.parse(Bytes(text: last.note))
        note.add(try line(over: note.text, time: last.time))
        return note.encoded()
    }

    private func cosignature(over text: Bytes, time: Int64) throws -> Bytes {
        var note = try SignedNote(text: text)
        note.add(try line(over: text, time: time))
        return Array(note.encoded().dropFirst(text.count + 1))
    }

    private func line(over text: Bytes, time: Int64) throws -> NoteSignature {
        let message = SignedNote.message(for: .cosignature, text: text, time: UInt64(max(time, 0)))
        return try verifierKey.line(try key.sign(message), time: max(time, 0))
    }
}
