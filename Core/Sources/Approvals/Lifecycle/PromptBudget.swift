public import Encodings

/// How often somebody lets services ask: theirs to choose, and enforced before anything is sent.
public struct PromptBudget: Sendable, Equatable {
    /// Requests of one service in an hour, from 1 to 60.
    public let perService: Int
    /// Requests of all services in an hour, from 1 to 240.
    public let together: Int

    /// What holds for an account that chose nothing.
    public static let usual = PromptBudget(perService: 10, together: 30)

    /// A budget; numbers out of range become the nearest in it.
    public init(perService: Int, together: Int) {
        self.perService = min(max(perService, 1), 60)
        self.together = min(max(together, 1), 240)
    }
}

/// A request that was sent to somebody, as far as the budget has to know.
public struct SentPrompt: Sendable, Equatable {
    /// The service that asked.
    public let service: Bytes
    /// Which browser asked for a sign-in, as the service tells them apart; `nil` for everything else.
    public let browser: Bytes?
    /// When it was sent, in seconds since 1970.
    public let time: Int64
    /// What became of it.
    public let outcome: Outcome

    /// What became of a request.
    public enum Outcome: Sendable, Equatable {
        /// It still waits for an answer.
        case waiting
        /// It was denied at this time.
        case denied(DenialReason, DenialScope, at: Int64)
        /// It was approved at this time.
        case approved(at: Int64)
        /// It expired, or was cancelled.
        case over
    }

    /// A request that was sent.
    public init(service: Bytes, browser: Bytes?, time: Int64, outcome: Outcome) {
        self.service = service
        self.browser = browser
        self.time = time
        self.outcome = outcome
    }
}

/// Why a request is not sent.
public enum PromptRefusal: Error, Equatable, Sendable {
    /// The owner denied this service for an hour, until this time.
    case serviceDenied(until: Int64)
    /// The last denials are too recent; again from this time on.
    case backingOff(until: Int64)
    /// A sign-in of this browser waits already.
    case alreadyWaiting
    /// The budget of this service is used up until this time.
    case budgetUsed(until: Int64)
    /// The owner has frozen the account, or is asked enough by all services together.
    ///
    /// It says neither which nor until when. Either would tell services that know of each other that two of their users
    /// are one person.
    case notNow
}

/// Whether one more request may be sent: the rules against asking somebody until they give in.
public enum PromptRules {
    /// The time that a budget counts, and that a denied service stays denied, in seconds.
    public static let hour: Int64 = 3_600
    /// The wait after a first "not me", in seconds; each further one doubles it.
    public static let firstWait: Int64 = 60
    /// The longest wait, in seconds.
    public static let longestWait: Int64 = 86_400

    /// Decides about one more request.
    ///
    /// Strangers cannot block the owner: one waiting sign-in blocks only the same browser. Only "not me" makes a
    /// service wait, and what the owner approves afterwards ends the count.
    ///
    /// What follows from this service's own requests is decided first: so it says nothing about anything else.
    /// - Parameters:
    ///   - service: who asks.
    ///   - browser: which browser asks for a sign-in.
    ///   - sent: what was sent to this account, or answered, in the last day, and what waits; the oldest question first.
    /// - Throws: why not.
    public static func check(
        service: Bytes, browser: Bytes?, sent: [SentPrompt], budget: PromptBudget, isFrozen: Bool, now: Int64
    ) throws(PromptRefusal) {
        try checkDenials(service, sent, now)
        if let browser {
            for prompt in sent where prompt.service == service && prompt.browser == browser {
                if case .waiting = prompt.outcome { throw .alreadyWaiting }
            }
        }
        let recent = sent.filter { $0.time > now - hour }
        let own = recent.filter { $0.service == service }
        // The budget is free again when the oldest of the last that fill it is an hour old.
        if own.count >= budget.perService {
            throw .budgetUsed(until: own[own.count - budget.perService].time + hour)
        }
        guard !isFrozen, recent.count < budget.together else { throw .notNow }
    }

    private static func checkDenials(_ service: Bytes, _ sent: [SentPrompt], _ now: Int64) throws(PromptRefusal) {
        var approval: (time: Int64, place: Int) = (.min, 0)
        for (place, prompt) in sent.enumerated() where prompt.service == service {
            if case .approved(let time) = prompt.outcome, time >= approval.time { approval = (time, place) }
        }
        var notMe = 0
        var last: Int64 = 0
        for (place, prompt) in sent.enumerated() where prompt.service == service {
            guard case .denied(let reason, let scope, let time) = prompt.outcome else { continue }
            if scope == .service, now < time + hour { throw .serviceDenied(until: time + hour) }
            // What counts is the order of the answers: a question that came first may be answered last.
            guard reason == .notMe, time > approval.time || time == approval.time && place > approval.place else {
                continue
            }
            notMe += 1
            last = max(last, time)
        }
        guard notMe > 0 else { return }
        let wait = notMe > 16 ? longestWait : min(firstWait << Int64(notMe - 1), longestWait)
        if now < last + wait { throw .backingOff(until: last + wait) }
    }
}
