import Encodings
import Transparency

extension FuzzTarget {
    static let transparency = [
        FuzzTarget("signed-note", maximumLength: 2048, signedNote),
        FuzzTarget("checkpoint", maximumLength: 1024, checkpoint),
        FuzzTarget("verifier-key", maximumLength: 512, verifierKey),
        FuzzTarget("log-entry", maximumLength: 1100, logEntry),
        FuzzTarget("entry-bundle", maximumLength: 2048, entryBundle),
        FuzzTarget("tile-path", maximumLength: 80, tilePath),
        FuzzTarget("log-proof", maximumLength: 4096, logProof),
        FuzzTarget("receipt", maximumLength: 4096, receipt),
        FuzzTarget("log-policy", maximumLength: 2048, logPolicy),
        FuzzTarget("witness-request", maximumLength: 2048, witnessRequest),
    ]

    /// Keys of the log and of a witness, in the names that the corpus has.
    static let keys: [NoteVerifierKey] = {
        let zeros = Bytes(repeating: 0, count: 32)
        let log = try? NoteVerifierKey(name: Bytes(text: "log"), publicKey: zeros)
        let witness = try? NoteVerifierKey(name: Bytes(text: "w"), publicKey: zeros, algorithm: .cosignature)
        return [log, witness].compactMap { $0 }
    }()

    private static func signedNote(_ input: Bytes) throws(BrokenPromise) {
        guard let note = try? SignedNote.parse(input) else { return }
        try expect(note.encoded() == input, "one spelling for one note")
        try expect(note.signatures.count <= SignedNote.maximumSignatures, "signatures are limited")
        guard let verified = try? note.verify(trusting: keys, suite: LenientSuite.real) else { return }
        try expect((try? note.verify(trusting: keys, suite: RefusingSuite())) == nil, "nothing counts unsigned")
        try expect(verified.signers.count <= keys.count, "a key counts once")
        for signer in verified.signers { try expect(signer.time ?? 0 >= 0, "times are not negative") }
    }

    private static func checkpoint(_ input: Bytes) throws(BrokenPromise) {
        guard let checkpoint = try? Checkpoint.parse(input) else { return }
        try expect(checkpoint.encoded() == input, "one spelling for one checkpoint")
        try expect((try? SignedNote(text: input)) != nil, "a checkpoint can be signed")
    }

    private static func verifierKey(_ input: Bytes) throws(BrokenPromise) {
        guard let key = try? NoteVerifierKey.parse(input) else { return }
        try expect(key.encoded() == (input.last == 0x0A ? input.dropLast() : input), "one spelling for one key")
    }

    private static func logEntry(_ input: Bytes) throws(BrokenPromise) {
        guard let entry = try? LogEntry.parse(input) else { return }
        try expect(entry.encoded() == input, "one spelling for one entry")
    }

    private static func entryBundle(_ input: Bytes) throws(BrokenPromise) {
        var parts = Parts(input)
        let width = Int(parts.number(1)) + 1
        let bundle = parts.rest()
        guard let entries = try? EntryBundle.parse(bundle, width: width) else { return }
        try expect(entries.count == width, "a bundle has as many entries as its name says")
        try expect((try? EntryBundle.encode(entries)) == bundle, "one spelling for one bundle")
    }

    private static func tilePath(_ input: Bytes) throws(BrokenPromise) {
        guard let tile = try? Tile.parse(input) else { return }
        try expect(tile.pathBytes == input, "one spelling for one tile")
    }

    private static func logPolicy(_ input: Bytes) throws(BrokenPromise) {
        guard let policy = try? LogPolicy.parse(input) else { return }
        try expect(policy.logs.count <= LogPolicy.maximumCount, "logs are limited")
        try expect(policy.witnesses.count <= LogPolicy.maximumCount, "witnesses are limited")
        try expect(policy.needsWitnesses != policy.isMet(by: []), "a quorum is never met by nobody")
    }

    private static func witnessRequest(_ input: Bytes) throws(BrokenPromise) {
        if let key = keys.last {
            let text = Bytes(text: "log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")
            try expect(
                (try? WitnessAnswer.cosignature(in: input, by: key, over: text, suite: RefusingSuite())) == nil,
                "nothing counts unsigned")
        }
        guard let request = try? WitnessRequest.parse(input) else { return }
        try expect(request.encoded() == input, "one spelling for one request")
        for suite in LenientSuite.both {
            guard let next = try? WitnessRules.decide(request, last: nil, keys: keys, suite: suite) else { continue }
            try expect(next == request.checkpoint && request.oldSize == 0, "what is signed is what was asked")
            try expect(
                (try? WitnessRules.decide(request, last: nil, keys: keys, suite: RefusingSuite())) == nil,
                "nothing counts unsigned")
        }
    }

    private static func logProof(_ input: Bytes) throws(BrokenPromise) {
        guard let proof = try? LogProof.parse(input) else { return }
        try expect(proof.encoded() == input, "one spelling for one proof")
        try expect(proof.hashes.count <= LogProof.maximumHashes, "hashes are limited")
    }

    private static func receipt(_ input: Bytes) throws(BrokenPromise) {
        if let extra = try? ReceiptExtra.parse(input) {
            try expect((try? extra.encoded()) == input, "one spelling for one receipt")
            _ = try? extra.open()
        }
        for policy in [keys.first.map { LogPolicy(logKey: $0) }, WholeFile.policy].compactMap({ $0 }) {
            for suite in LenientSuite.both {
                guard let receipt = try? Receipt.verify(input, policy: policy, suite: suite) else { continue }
                try expect(receipt.index < receipt.checkpoint.checkpoint.size, "the entry is in the log")
                try expect(
                    (try? Receipt.verify(input, policy: policy, suite: RefusingSuite())) == nil,
                    "nothing counts unsigned")
            }
        }
    }
}
