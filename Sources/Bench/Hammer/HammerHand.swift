import Interface
import Wallet

/// Does acts and writes down what came of each.
struct HammerHand: Sendable {
    let servers: HammerServers
    let journal: HammerJournal

    /// What an acknowledged act gave.
    struct Done<Value: Sendable>: Sendable {
        let value: Value
        var result: String?
        var receipt: String?
        var slots: [String]?
    }

    /// Does one act, and again if its answer was lost.
    ///
    /// - Parameter body: gets the number of the server.
    /// - Throws: `HammerStop`.
    func act<Value: Sendable>(
        _ kind: HammerAct.Kind, by username: String, subject: String? = nil,
        _ body: @Sendable (Int) async throws -> Done<Value>
    ) async throws -> Value {
        do {
            return try await once(kind, username, subject, isRepeated: false, body)
        } catch HammerStop.unknown {
            return try await once(kind, username, subject, isRepeated: true, body)
        }
    }

    private func once<Value: Sendable>(
        _ kind: HammerAct.Kind, _ username: String, _ subject: String?, isRepeated: Bool,
        _ body: (Int) async throws -> Done<Value>
    ) async throws -> Value {
        let server = try await servers.pick()
        do {
            let done = try await body(server)
            var act = HammerAct(kind, .acknowledged, by: username, subject: subject)
            act.result = done.result
            act.receipt = done.receipt
            act.slots = done.slots
            try await journal.append(act)
            return done.value
        } catch {
            let stop = judge(error, server: server, isRepeated: isRepeated)
            var act = HammerAct(kind, Self.outcome(stop), by: username, subject: subject)
            act.detail = "\(error)"
            try await journal.append(act)
            throw stop
        }
    }

    /// Does a step on the way to an act.
    ///
    /// Nothing of the step must remain.
    func step<Value>(
        by username: String, _ kind: HammerAct.Kind, _ body: (Int) async throws -> Value
    ) async throws -> Value {
        let server = try await servers.pick()
        do {
            return try await body(server)
        } catch {
            let stop = judge(error, server: server, isRepeated: false)
            if stop == .wrong {
                var act = HammerAct(kind, .wrong, by: username, subject: nil)
                act.detail = "\(error)"
                try await journal.append(act)
            }
            throw stop
        }
    }

    private static func outcome(_ stop: HammerStop) -> HammerAct.Outcome {
        switch stop {
        case .unknown, .ended: .unknown
        case .refused: .refused
        case .wrong: .wrong
        }
    }

    /// The answers of a server that is in trouble itself.
    private static let mayPass: Set<String> = ["busy", "storage", "storage-unreachable"]

    private func judge(_ error: any Error, server: Int, isRepeated: Bool) -> HammerStop {
        switch error {
        case let stop as HammerStop: return stop
        case let problem as ProblemError where Self.mayPass.contains(problem.slug):
            servers.failed(server)
            return .unknown
        case let problem as ProblemError where problem.problem.status < 500:
            return isRepeated ? .refused : .wrong
        // The wallet looked first, and found that it was done.
        case WalletError.invalid, WalletError.notFound: return isRepeated ? .refused : .wrong
        case is CancellationError, WalletError.unreachable:
            servers.failed(server)
            return .unknown
        // No problem document, one that explains nothing, what does not verify, or a fault of ours.
        default: return .wrong
        }
    }
}
