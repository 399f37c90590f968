import CryptoProvider
import Encodings
import Synchronization

/// Questions asked lately, devices that answered lately, and the keys of services: an answer's signature is checked with
/// them, and the database is not asked for what it has just been given.
///
/// What never changes is as it was loaded. What may have changed since is asked for again in the transaction that stores
/// the answer (``ApprovalChallengeStore/Stamp``): nothing here decides whether an answer counts.
final class ApprovalMemory: Sendable {
    private struct State {
        var questions = LeastRecentlyUsed<String, Known>(capacity: ApprovalMemory.limit)
        var devices = LeastRecentlyUsed<String, ApprovalDeviceStore.Stored>(capacity: ApprovalMemory.limit)
        var keys = LeastRecentlyUsed<Bytes, SigningKey>(capacity: 256)
        var wrongCodes = LeastRecentlyUsed<String, Set<Bytes>>(capacity: ApprovalMemory.limit)
    }

    private struct Known {
        var question: ApprovalQuestion
        var isAboutApp: Bool
    }

    private static let limit = 4_096
    /// Longer questions are loaded again: memory is bounded by numbers, so each has to be small.
    private static let longestMessage = 8_192
    private let state = Mutex(State())

    /// What an answer is about, if both question and device are known and belong together.
    ///
    /// - Parameter key: the device's, base64url.
    func find(_ id: String, key: String) -> ApprovalAnswering.Loaded? {
        state.withLock { state in
            guard let known = state.questions.use(id), let device = state.devices.use(key),
                known.question.mayBeAnswered(by: device)
            else { return nil }
            return ApprovalAnswering.Loaded(question: known.question, device: device, isAboutApp: known.isAboutApp)
        }
    }

    /// - Parameter isAboutApp: whether it asks about an app of version 1; that never changes.
    func remember(_ question: ApprovalQuestion, isAboutApp: Bool) {
        guard question.row.message.utf8.count <= Self.longestMessage else { return }
        state.withLock { state in
            state.questions.insert(Known(question: question, isAboutApp: isAboutApp), for: question.row.id)
        }
    }

    func remember(_ device: ApprovalDeviceStore.Stored) {
        state.withLock { $0.devices.insert(device, for: device.publicKey) }
    }

    /// A question is over, or its next answer has to look again.
    func forget(_ id: String) { state.withLock { _ = $0.questions.removeValue(for: id) } }

    /// Notes a wrong code that is about to be counted.
    ///
    /// A server that was restarted, has forgotten it among many others, or shares the database with the one that has
    /// counted it, counts it again: then a repetition may still end a question, but no guess is left out.
    ///
    /// - Parameter message: what it is known by when it comes again.
    /// - Returns: whether it has not been noted for this question before.
    func note(wrongCode message: Bytes, of id: String) -> Bool {
        state.withLock { state in
            var known = state.wrongCodes.use(id) ?? []
            let isNew = known.insert(message).inserted
            state.wrongCodes.insert(known, for: id)
            return isNew
        }
    }

    /// It was not counted after all.
    func forget(wrongCode message: Bytes, of id: String) {
        state.withLock { state in
            guard var known = state.wrongCodes.removeValue(for: id) else { return }
            known.remove(message)
            if !known.isEmpty { state.wrongCodes.insert(known, for: id) }
        }
    }

    /// The key that signs what a service says: made of the same number once.
    func signingKey(ofService id: String, _ keys: ApprovalKeys) throws -> SigningKey {
        let number = keys.signingNumber(ofService: id)
        if let known = state.withLock({ $0.keys.use(number) }) { return known }
        let key = try keys.signingKey(ofService: id)
        state.withLock { $0.keys.insert(key, for: number) }
        return key
    }
}

extension ApprovalQuestion {
    /// Whether a device belongs to somebody who was asked.
    func mayBeAnswered(by device: ApprovalDeviceStore.Stored) -> Bool {
        device.service == row.service
            && prompts.contains { $0.account == device.account && $0.label == device.label }
    }
}
