import Encodings
import Interface
import Logging
import Storage

/// A secret under which rows are sealed, and another one that takes its place while servers run.
///
/// 1. The database names the new one as the other one: every server learns to open what is sealed under it.
/// 2. They change places: every server seals under the new one, and still opens what is under the old one.
/// 3. Everything is sealed again, batch by batch (`Resealing`).
/// 4. Database and folder forget the old one, and the log has its entry.
///
/// Between the steps it waits until every server has learned of the last one. If anything is cut short, both secrets
/// stay in use; the next start of a server, or the same command, goes on.
struct SealingRotation {
    let environment: Environment
    let folder: KeyFolder
    /// How long until every other server of this database has looked (`KeyWatch`).
    let spread: Duration
    /// How long until requests that began before a step have ended too.
    let pause: Duration
    private let key = ServerKey.templateSecret

    /// - Parameter isRunning: whether a server, and so requests, may be at work at the same time.
    init(_ environment: Environment, _ folder: KeyFolder, isRunning: Bool) {
        let isShared = environment.database.notices != nil
        self.init(
            environment, folder, spread: .seconds(isShared ? 120 : 0),
            pause: .seconds(isShared ? 180 : isRunning ? 60 : 0))
    }

    init(_ environment: Environment, _ folder: KeyFolder, spread: Duration, pause: Duration) {
        (self.environment, self.folder) = (environment, folder)
        (self.spread, self.pause) = (spread, pause)
    }

    /// Whether one has begun and has not ended.
    static func isUnfinished(_ environment: Environment) async throws -> Bool {
        try await environment.keysInForce().1[ServerKey.templateSecret.otherName] != nil
    }

    /// Goes on from where an earlier one ended, to the end.
    ///
    /// - Returns: the log's receipt of the entry `key.rotated`.
    /// - Throws: `RotationError`, `KeyError`; `LogError.unwitnessed` or `LogError.unsealed` when everything is
    ///   done and only the receipt is missing.
    func run() async throws -> Interface.Receipt {
        let (organisation, fingerprints) = try await environment.keysInForce()
        if let organisation { try KeyRotation.finish([key], in: folder, organisation, fingerprints) }
        if fingerprints[key.otherName] == nil { try await announce() }
        if let new = try await announced() {
            try await wait(spread)
            try await exchange(for: new)
        }
        try await wait(pause)
        try await sealAgain()
        let index = try await forget()
        await environment.scrubAfterAct()
        return try await environment.log.receipt(index)
    }

    /// Step 1.
    func announce() async throws {
        let new = environment.random.bytes(32)
        try folder.replace(KeyFolder.next(key.name), new)
        let (name, fingerprint, now) = (key.otherName, fingerprint(new), environment.now())
        try await environment.database.write { transaction in
            let store = ServerKeyStore(transaction: transaction)
            guard try store.fingerprints()[name] == nil else { throw ServerKeys.KeyError.changing }
            try store.set(name, fingerprint: fingerprint, since: now)
        }
        try await takeUp()
    }

    /// The new one, while it is only announced.
    private func announced() async throws -> Bytes? {
        guard let next = try folder.read(KeyFolder.next(key.name)) else { return nil }
        return try await environment.keysInForce().1[key.otherName] == fingerprint(next) ? next : nil
    }

    /// Step 2.
    func exchange(for new: Bytes) async throws {
        let old = try folder.require(key.name)
        try folder.replace(KeyFolder.former(key.name), old)
        let (key, prints, now) = (key, (old: fingerprint(old), new: fingerprint(new)), environment.now())
        try await environment.database.write { transaction in
            let store = ServerKeyStore(transaction: transaction)
            let found = try store.fingerprints()
            guard found[key.name] == prints.old || found[key.name] == nil, found[key.otherName] == prints.new else {
                throw ServerKeys.KeyError.changing
            }
            try store.set(key.name, fingerprint: prints.new, since: now)
            try store.set(key.otherName, fingerprint: prints.old, since: now)
        }
        try await takeUp()
        try folder.replace(key.name, new)
        try folder.remove(KeyFolder.next(key.name))
    }

    /// Step 3: until nothing is found under the old one.
    ///
    /// Requests that began before may still have sealed under it.
    func sealAgain() async throws {
        let secrets = environment.serverKeys.secrets(key)
        guard secrets.count == 2 else { throw ServerKeys.KeyError.foreign(name: key.name) }
        let resealing = Resealing(environment, from: secrets[1], to: secrets[0])
        var replaced: [String] = []
        while true {
            let pass = try await resealing.pass()
            replaced += pass.replaced
            if pass.changed == 0 { break }
        }
        guard !replaced.isEmpty else { return }
        // Another process may be reading one.
        try await wait(pause)
        for blob in replaced { try await environment.blobs.delete(blob) }
    }

    /// Step 4.
    func forget() async throws -> Int64 {
        let (key, now) = (key, environment.now())
        let index = try await environment.database.write { transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            try ServerKeyStore(transaction: transaction).remove(key.otherName)
            return try environment.log.record(
                TrustEvent(.keyRotated, account: owner.id, [("key", .text(key.name))]), in: transaction, now: now)
        }
        do {
            try await takeUp()
            try folder.remove(KeyFolder.former(key.name))
        } catch {
            // It must not look as if it were still to be done: the same command would begin another one.
            throw KeyRotation.RotationError.unfinished(detail: "\(error)")
        }
        return index
    }

    private func takeUp() async throws {
        let (organisation, fingerprints) = try await environment.keysInForce()
        guard let organisation else { throw AccountError.notSetUp }
        try environment.serverKeys.takeUp(organisation, fingerprints)
    }

    private func wait(_ time: Duration) async throws {
        if time > .zero { try await environment.clock.sleep(time) }
    }

    private func fingerprint(_ secret: Bytes) -> String { ServerKeys.fingerprint(of: secret, named: key.name) }
}
