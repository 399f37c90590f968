import Synchronization

/// All runs under way.
final class PicoRuns: Sendable {
    private struct State {
        var runs: [String: PicoRun] = [:]
        var channels: [String: String] = [:]
        var ofAddress: [String: Int] = [:]

        mutating func remove(_ run: PicoRun) {
            guard runs.removeValue(forKey: run.id) != nil else { return }
            channels[run.channel] = nil
            let left = ofAddress[run.network, default: 1] - 1
            ofAddress[run.network] = left > 0 ? left : nil
        }
    }

    private let state = Mutex(State())

    /// Adds one, and forgets those that nobody waits for when there is no room.
    ///
    /// - Throws: `Problem` `too-many-requests` for an address with too many, `busy` if all are too many.
    func add(_ run: PicoRun, at uptime: Int64) throws(Problem) {
        let refusal: Problem? = state.withLock { state in
            if state.runs.count >= Limits.picoRuns
                || state.ofAddress[run.network, default: 0] >= Limits.picoRunsOfAddress
            {
                for old in state.runs.values where old.isAbandoned(at: uptime) { state.remove(old) }
            }
            guard state.ofAddress[run.network, default: 0] < Limits.picoRunsOfAddress else {
                return Problem(
                    .tooManyRequests, "Too many codes are shown at your address.", retryAfter: Limits.channelPause)
            }
            guard state.runs.count < Limits.picoRuns else { return Problem(.busy) }
            state.runs[run.id] = run
            state.channels[run.channel] = run.id
            state.ofAddress[run.network, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    func find(_ id: String) -> PicoRun? { state.withLock { $0.runs[id] } }

    func find(channel: String) -> PicoRun? {
        state.withLock { state in state.channels[channel].flatMap { state.runs[$0] } }
    }

    func remove(_ run: PicoRun) { state.withLock { $0.remove(run) } }

    /// Ends an account's pairings that a session began: a page shows one code at a time.
    func removePairings(ofSession session: String) -> [PicoRun] {
        state.withLock { state in
            let old = state.runs.values.filter { run in
                if case .pairing(_, session, _, _) = run.purpose { true } else { false }
            }
            for run in old { state.remove(run) }
            return old
        }
    }
}

extension PicoRun {
    /// What counts as one client: one host may use a whole network of IPv6 at will.
    fileprivate var network: String { ClientAddress.network(of: address) }
}
