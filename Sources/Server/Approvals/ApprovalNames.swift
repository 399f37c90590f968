import Approvals
import Encodings
import Interface
import Storage

// The names of the interface and the values of Core, one for one.

extension ApprovalDenial.Reason {
    var inCore: DenialReason {
        switch self {
        case .mistake: .mistake
        case .notMe: .notMe
        }
    }

    init(_ reason: DenialReason) {
        switch reason {
        case .mistake: self = .mistake
        case .notMe: self = .notMe
        }
    }
}

extension ApprovalDenial.Scope {
    var inCore: DenialScope {
        switch self {
        case .request: .request
        case .service: .service
        case .account: .account
        }
    }

    init(_ scope: DenialScope) {
        switch scope {
        case .request: self = .request
        case .service: self = .service
        case .account: self = .account
        }
    }
}

extension ApprovalActionName {
    var inCore: ApprovalAction {
        switch self {
        case .signIn: .signIn
        case .pay: .pay
        case .change: .change
        case .agree: .agree
        }
    }
}

extension ApprovalState {
    var inCore: ApprovalLifecycle.State {
        switch self {
        case .pending: .pending
        case .approved: .approved
        case .denied: .denied
        case .expired: .expired
        case .cancelled: .cancelled
        }
    }

    init(_ state: ApprovalLifecycle.State) {
        switch state {
        case .pending: self = .pending
        case .approved: self = .approved
        case .denied: self = .denied
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        }
    }
}

extension ApprovalField {
    /// The field as it is signed and shown; `nil` unless it has exactly what its type has.
    var inCore: DisplayField? {
        switch type {
        case .amount:
            guard text == nil, let value, let currency = currency.flatMap({ Currency(code: Bytes(text: $0)) }) else {
                return nil
            }
            return .amount(value, currency)
        case .time:
            guard text == nil, currency == nil, let value else { return nil }
            return .time(value)
        case .payee, .account, .place, .device, .text:
            guard value == nil, currency == nil, let bytes = text.map({ Bytes(text: $0) }) else { return nil }
            return switch type {
            case .payee: .payee(bytes)
            case .account: .account(bytes)
            case .place: .place(bytes)
            case .device: .device(bytes)
            case .text, .amount, .time: .text(bytes)
            }
        }
    }
}

extension ApprovalQuorum {
    /// The rule; `nil` for a currency that is none, and for steps that are not in order.
    var inCore: QuorumRule? {
        guard let currency = Currency(code: Bytes(text: currency)) else { return nil }
        return QuorumRule(currency: currency, steps: steps.map { QuorumRule.Step(from: $0.from, need: $0.need) })
    }

    init(_ rule: QuorumRule) {
        self.init(
            currency: String(decoding: rule.currency.code, as: UTF8.self),
            steps: rule.steps.map { Step(from: $0.from, need: $0.need) })
    }
}

extension ApprovalServiceInfo {
    /// How many people have to approve what it asks; `nil` if it decides that itself.
    ///
    /// A rule that cannot be read is an error, and never no rule.
    var rule: QuorumRule? {
        get throws {
            try quorum.map { quorum in
                guard let rule = quorum.inCore else { throw StoredValueError(column: "approval_services.quorum") }
                return rule
            }
        }
    }
}

extension DeviceEnrolment {
    /// Refuses a device's name with control characters: PostgreSQL stores no NUL, and no list needs any of them.
    ///
    /// - Throws: `malformed`.
    func checkName() throws(ApprovalError) {
        guard name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .malformed }
    }
}
