public import Encodings

/// Which checkpoints are believed: whose log, and how many witnesses must have signed as well (C2SP tlog-policy).
///
/// A log key alone is the policy "this log, and no witness is asked".
public struct LogPolicy: Sendable, Equatable {
    /// The longest policy that is read, in bytes.
    public static let maximumLength = 1 << 16
    /// The most logs, the most witnesses and the most groups.
    public static let maximumCount = 64

    /// A log that is believed.
    public struct Log: Sendable, Equatable {
        /// Its name is the origin of the log's checkpoints.
        public let key: NoteVerifierKey
        /// Where it is, if the policy says so.
        public let url: Bytes?
    }

    /// A witness that counts.
    public struct Witness: Sendable, Equatable {
        /// What the policy calls it.
        public let name: Bytes
        /// Of a cosigner.
        public let key: NoteVerifierKey
        /// The submission prefix (C2SP tlog-witness), if the policy names one.
        public let url: Bytes?
    }

    /// A requirement: a witness's signature, or those of enough members of a group.
    enum Term: Sendable, Equatable {
        case witness(NoteVerifierKey)
        case group(threshold: Int, members: [Term])

        func isMet(by signers: [VerifiedNote.Signer]) -> Bool {
            switch self {
            case .witness(let key): signers.contains { $0.key == key }
            case .group(let threshold, let members):
                members.filter { $0.isMet(by: signers) }.count >= threshold
            }
        }
    }

    /// The logs; each of them is believed.
    public let logs: [Log]
    /// The witnesses.
    public let witnesses: [Witness]
    let quorum: Term?

    /// A log whose checkpoints nobody else has to sign.
    public init(logKey: NoteVerifierKey) { self.init(logKeys: [logKey]) }

    /// A log that has several keys; each of them is believed.
    public init(logKeys: [NoteVerifierKey]) {
        self.init(logs: logKeys.map { Log(key: $0, url: nil) }, witnesses: [], quorum: nil)
    }

    init(logs: [Log], witnesses: [Witness], quorum: Term?) {
        self.logs = logs
        self.witnesses = witnesses
        self.quorum = quorum
    }

    /// Reads a policy, or a log's verifier key alone.
    ///
    /// - Throws: what `parse` or `NoteVerifierKey.parse` throws; `malformedPolicy` when there is no log.
    public static func read(_ text: Bytes) throws(TransparencyError) -> LogPolicy {
        let line = text.last == 0x0A ? Array(text.dropLast()) : text
        // A key has neither spaces nor lines; every line of a policy has a space.
        guard line.contains(where: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }) else {
            let key = try NoteVerifierKey.parse(text)
            guard key.algorithm == .ed25519 else { throw .unsupportedKey }
            return LogPolicy(logKey: key)
        }
        let policy = try parse(text)
        guard !policy.logs.isEmpty else { throw .malformedPolicy }
        return policy
    }

    /// Whether checkpoints need a witness.
    public var needsWitnesses: Bool { quorum != nil }
    /// The names of the logs, each once.
    public var origins: [Bytes] {
        logs.reduce(into: []) { origins, log in
            if !origins.contains(log.key.name) { origins.append(log.key.name) }
        }
    }
    /// Every key whose signature counts.
    public var keys: [NoteVerifierKey] { logs.map { $0.key } + witnesses.map { $0.key } }

    /// Whether these have signed as the quorum demands.
    public func isMet(by signers: [VerifiedNote.Signer]) -> Bool { quorum?.isMet(by: signers) ?? true }
}
