import CryptoProvider
import Encodings
package import Interface
import Storage
import Transparency

/// The change to another key for the log, in steps.
///
/// The operator makes the next key, and the main administrator signs a log policy that names it. Once witnesses accept
/// it alone, the operator replaces the old key with it.
///
/// In between, the server signs checkpoints with every key that the policy names, so clients that know only the old
/// key, or only the next, go on.
package struct LogKeyChange: Sendable {
    private let environment: Environment
    private let folder: KeyFolder
    /// The file of the key in use.
    private static let name = ServerKey.log.name

    /// Why a step cannot be taken.
    package enum StepError: Error, Equatable {
        /// There is no next key.
        case notBegun
        /// There is one already.
        case begun
        /// The policy in force does not name the next key: nobody would believe what it signs.
        case notInPolicy
        /// The policy in force names the next key and not the old one: without it nothing could be signed.
        case inForceAlone
        /// The newest checkpoint is not signed by the next key yet.
        case notSigned
        /// With the next key alone too few witnesses sign: each that does not, and why.
        case unwitnessed([String])
    }

    /// A key, and who counts on it.
    package struct Key: Sendable, Equatable {
        /// C2SP verifier key.
        package let verifierKey: String
        /// Whether the policy in force names it; without a policy, the first key counts.
        package let isInPolicy: Bool
    }

    /// Where the change stands.
    package struct State: Sendable, Equatable {
        /// The key of the file `log`.
        package let current: Key
        /// The key of the file `log.next`, if there is one.
        package let next: Key?
    }

    /// The log key of a server that is open, and may be running.
    package init(of server: CountersignServer) {
        self.init(environment: server.environment, directory: server.directory.path)
    }

    init(environment: Environment, directory: String) {
        self.environment = environment
        folder = KeyFolder(in: directory)
    }

    /// Where the change stands.
    package func state() async throws -> State {
        let policy = try await environment.log.policy()
        func key(_ secret: LogSigningKey) throws -> Key {
            let key = try environment.log.verifierKey(of: secret)
            return Key(
                verifierKey: String(decoding: key.encoded(), as: UTF8.self),
                isInPolicy: policy.logs.contains { $0.key == key })
        }
        return State(current: try key(environment.serverKeys.logKeys[0]), next: try read().map(key))
    }

    /// Makes the next key, which signs nothing until a policy names it.
    ///
    /// - Throws: `begun`.
    package func begin() async throws -> State {
        guard try read() == nil else { throw StepError.begun }
        try folder.create(KeyFolder.next(Self.name), environment.random.bytes(32))
        try environment.readLogKeys()
        return try await state()
    }

    /// Replaces the old key with the next one, and destroys the old one.
    ///
    /// The old key's signatures stay good for everybody whose policy still names it.
    ///
    /// - Returns: the log's receipt of the entry `key.rotated`, signed by the next key alone.
    /// - Throws: `notBegun`, `notInPolicy`, `notSigned`, `unwitnessed`; then both keys are as they were.
    package func finish() async throws -> Interface.Receipt {
        guard let key = try read(), let secret = try folder.read(KeyFolder.next(Self.name)) else {
            throw StepError.notBegun
        }
        guard try await state().next?.isInPolicy == true else { throw StepError.notInPolicy }
        let later = try await rehearse(key)
        let now = environment.now()
        let index = try await environment.database.write { [environment] transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            let event = TrustEvent(
                .keyRotated, account: owner.id,
                [
                    ("key", .text(Self.name)),
                    ("verifier_key", .string(try environment.log.verifierKey(of: key).encoded())),
                ])
            return try environment.log.record(event, in: transaction, now: now)
        }
        do {
            let receipt = try await later.receipt(index)
            try replace(with: secret)
            return receipt
        } catch TransparencyLog.LogError.damaged {
            // Another server that has no next key has signed: the old one must stay.
            throw StepError.notSigned
        } catch TransparencyLog.LogError.unwitnessed(let failures) {
            try replace(with: secret)
            throw TransparencyLog.LogError.unwitnessed(failures)
        } catch TransparencyLog.LogError.unsealed(let error) {
            // The old key stays until the next one has signed: so it is not done, and has to be done again.
            throw error
        }
    }

    /// Replaces the old key with the one that was tried, whatever is in its file by now.
    private func replace(with secret: Bytes) throws {
        try folder.replace(Self.name, secret)
        try folder.remove(KeyFolder.next(Self.name))
        try environment.readLogKeys()
    }

    /// Destroys the next key.
    ///
    /// - Throws: `notBegun`, `inForceAlone`.
    package func cancel() async throws {
        guard try read() != nil else { throw StepError.notBegun }
        let state = try await state()
        if state.next?.isInPolicy == true, !state.current.isInPolicy { throw StepError.inForceAlone }
        try folder.remove(KeyFolder.next(Self.name))
        try environment.readLogKeys()
    }

    private func read() throws -> LogSigningKey? { try ServerKeys.nextLogKey(in: folder) }

    /// The log as it will be with this key alone, after its witnesses have signed the newest checkpoint so.
    private func rehearse(_ key: LogSigningKey) async throws -> TransparencyLog {
        do {
            let later = try await environment.log.reopened(with: key)
            _ = try await later.preview(try await later.policy())
            return later
        } catch TransparencyLog.LogError.damaged {
            throw StepError.notSigned
        } catch TransparencyLog.LogError.unwitnessed(let failures) {
            throw StepError.unwitnessed(failures)
        }
    }
}

extension Environment {
    /// Signs checkpoints with the keys that are in the folder now.
    ///
    /// - Returns: whether they are others than before.
    /// - Throws: `KeyError.otherLog` when the file of the key in use holds another key, which did not sign the newest
    ///   checkpoint. The keys in use then stay.
    @discardableResult
    func takeUpLogKeys() async throws -> Bool {
        let old = serverKeys.logKeys.map(\.publicKey)
        let key = try serverKeys.logKeyInFolder()
        if key.publicKey != serverKeys.logKeys.first?.publicKey {
            do { _ = try await log.reopened(with: key) } catch TransparencyLog.LogError.damaged {
                throw ServerKeys.KeyError.otherLog
            }
        }
        try readLogKeys()
        return serverKeys.logKeys.map(\.publicKey) != old
    }

    /// Signs checkpoints with the keys that are in the folder now.
    ///
    /// The caller has seen to them.
    func readLogKeys() throws {
        try serverKeys.readLogKeys()
        try log.signer.use(serverKeys.logKeys)
    }
}
