import HTTPTypes
import Hummingbird
import Synchronization

/// Places for requests with a body of up to 16 MiB, so that a few of them cannot fill the memory.
///
/// A request takes its place before the first byte is read and gives it back when it is answered.
package final class LargeBodies: Sendable {
    private struct State {
        var total = 0
        var byAccount: [String: Int] = [:]
    }
    private let state = Mutex(State())

    /// All places free.
    package init() {}

    /// Does the work of a request, in a place if its body may be large.
    ///
    /// - Throws: `Problem` `busy` when the account or everybody together has too many under way.
    func within<Answer: Sendable>(
        _ limit: Limits.Body, account: String, _ work: () async throws -> Answer
    ) async throws -> Answer {
        guard limit.isLarge else { return try await work() }
        guard enter(account) else {
            throw Problem(.busy, "Too many documents are being sent at once. Try again in a moment.", retryAfter: 2)
        }
        defer { leave(account) }
        return try await work()
    }

    func enter(_ account: String) -> Bool {
        state.withLock { state in
            let own = state.byAccount[account, default: 0]
            guard state.total < Limits.largeBodies, own < Limits.largeBodiesPerAccount else { return false }
            state.total += 1
            state.byAccount[account] = own + 1
            return true
        }
    }

    func leave(_ account: String) {
        state.withLock { state in
            let own = state.byAccount[account, default: 0]
            state.total -= 1
            state.byAccount[account] = own > 1 ? own - 1 : nil
        }
    }
}

extension Call {
    /// How large the body may be, where the request says that it is small.
    func size(_ limit: Limits.Body) -> Limits.Body {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        return length.map { (0...Limits.Body.small.rawValue).contains($0) } == true ? .small : limit
    }
}
