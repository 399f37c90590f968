import Encodings
import Foundation
import Pico
import Synchronization
import Wallet

/// A helper that stays: the session that it let somebody into is open while their wallet answers.
final class PamStay: Sendable {
    /// Where the session is.
    enum Condition: String {
        case active
        case paused
        /// The wallet has ended it.
        case stopped
        /// The wallet answers no more, or not as it should.
        case lost
        /// The wallet is no longer paired.
        case removed

        /// Whether only a new sign-in opens it again.
        var isFinal: Bool { self != .active && self != .paused }
    }

    /// The session that was opened.
    struct Opened: Sendable {
        let place: PamHook.Place
        /// The process that opened it; the session ends with it.
        let owner: PamProcess
    }

    private struct State {
        var condition = Condition.active
        var opened: Opened?
        var isOver = false
        /// Another helper has taken the session over, and the name of the socket with it.
        var isHandedOver = false
    }

    /// How long it may take until the session is opened, in seconds.
    private static let patience = 60

    private let user: Bytes
    private let commitment: PicoCommitment
    private let folder: PamFolder
    private let configuration: PamConfiguration
    private let state: Mutex<State>
    private let hooks: PamHooks

    /// - Parameter opened: the session, if it was taken over from a helper that had lost its wallet.
    init(
        user: Bytes, commitment: PicoCommitment, folder: PamFolder, configuration: PamConfiguration,
        opened: Opened? = nil
    ) {
        self.user = user
        self.commitment = commitment
        self.folder = folder
        self.configuration = configuration
        state = Mutex(State(opened: opened))
        hooks = PamHooks(configuration)
        if let opened { hooks.follow(.active, at: opened) }
    }

    /// Stays until the session is closed, or was never opened.
    func run(_ session: PicoSession, over channel: RendezvousClient, at socket: PamSocket) async {
        socket.serve { [self] request, line in answer(request, line) }
        let watching = Task { [self] in
            do {
                try await PicoStay(over: channel, timings: .every(configuration.interval)).watch(
                    session, ends: { self.state.withLock { $0.isOver || $0.condition == .removed } },
                    report: { self.hear($0) })
                change(.stopped)
            } catch {
                change(.lost)
            }
        }
        var seconds = 0
        while !isOver(after: seconds) {
            try? await Task.sleep(for: .seconds(1))
            seconds += 1
        }
        if state.withLock({ $0.isHandedOver }) { socket.leave() } else { socket.remove() }
        // At its next message the wallet learns that the session is over; it must not wait for one that comes never.
        let farewell = Task { [interval = configuration.interval] in
            try await Task.sleep(for: .seconds(min(2 * interval, 30)))
            watching.cancel()
        }
        await watching.value
        farewell.cancel()
        hooks.cancel()
        hooks.wait()
    }

    /// What a module, another helper or the administrator says.
    private func answer(_ request: PamRequest, _ line: PamLine) {
        let known = state.withLock { $0.opened }
        let agrees =
            switch request.verb {
            case .open: open(request)
            case .close: request.user == user && end()
            case .handOver: handsOver(request)
            case .recheck: check()
            case .authenticate, .result: false
            }
        if agrees, request.verb == .handOver, let known {
            line.say(0x70, "\(known.owner.number)")
            for (kind, value) in [
                (UInt8(0x73), known.place.service), (0x74, known.place.terminal), (0x78, known.place.session),
            ] where !value.isEmpty { line.say(kind, value) }
        }
        line.say(.result, agrees ? "y" : "n")
    }

    /// The session begins: of the same user, once, and only if something can lock it.
    private func open(_ request: PamRequest) -> Bool {
        guard request.user == user, let owner = request.process.flatMap(PamProcess.init) else { return false }
        let place = PamHook.Place(
            user: user.text, service: request.service?.text ?? "", terminal: request.terminal?.text ?? "",
            session: request.session ?? "")
        guard PamHook(command: configuration.lock).works(for: place) else {
            PamSystemLog.write("nothing can lock this session of \(user.text): logind has given it no name")
            return false
        }
        let opened = Opened(place: place, owner: owner)
        let condition: Condition? = state.withLock { state in
            guard state.opened == nil, !state.isOver else { return nil }
            state.opened = opened
            return state.condition
        }
        guard let condition else { return false }
        if condition != .active { hooks.follow(condition, at: opened) }
        return true
    }

    private func end() -> Bool {
        state.withLock { $0.isOver = true }
        hooks.cancel()
        return true
    }

    private func handsOver(_ request: PamRequest) -> Bool {
        let isAsking = request.word.equals("ask")
        let agrees = state.withLock { state in
            guard request.user == user, !state.isOver, state.condition.isFinal, let opened = state.opened,
                request.session == nil || request.session == opened.place.session
            else { return false }
            if !isAsking { (state.isOver, state.isHandedOver) = (true, true) }
            return true
        }
        // From now on the other helper locks and unlocks.
        if agrees, !isAsking { hooks.cancel() }
        return agrees
    }

    private func isOver(after seconds: Int) -> Bool {
        state.withLock { state in
            if let opened = state.opened {
                if !opened.owner.isRunning { state.isOver = true }
            } else if seconds >= Self.patience {
                state.isOver = true
            }
            return state.isOver
        }
    }

    /// What the wallet says counts while it is paired.
    private func hear(_ told: PicoContinuousState) {
        guard check() else { return }
        switch told {
        case .active: change(.active)
        case .paused: change(.paused)
        case .stopped: change(.stopped)
        case .failed: change(.lost)
        }
    }

    /// Whether the wallet is still paired; a file that nobody can trust is no file.
    private func check() -> Bool {
        let entry = (try? folder.check()).flatMap { try? folder.users.entry(commitment) }
        if entry?.name == user { return true }
        change(.removed)
        return false
    }

    private func change(_ condition: Condition) {
        let opened: Opened? = state.withLock { state in
            guard !state.isOver, !state.condition.isFinal, state.condition != condition else { return nil }
            state.condition = condition
            return state.opened
        }
        if let opened { hooks.follow(condition, at: opened) }
    }
}
