import Approvals
import Encodings
import Interface

extension Field {
    /// As the interface has it.
    var inInterface: ApprovalField {
        switch self {
        case .amount(let value, let currency): ApprovalField(.amount, value: value, currency: currency)
        case .time(let time): ApprovalField(.time, value: time)
        case .payee(let text): ApprovalField(.payee, text: text)
        case .account(let text): ApprovalField(.account, text: text)
        case .place(let text): ApprovalField(.place, text: text)
        case .device(let text): ApprovalField(.device, text: text)
        case .text(let text): ApprovalField(.text, text: text)
        }
    }

    /// As the signed bytes have it.
    init(_ field: DisplayField) {
        switch field {
        case .amount(let value, let currency): self = .amount(value, currency: Self.text(currency.code))
        case .time(let time): self = .time(time)
        case .payee(let bytes): self = .payee(Self.text(bytes))
        case .account(let bytes): self = .account(Self.text(bytes))
        case .place(let bytes): self = .place(Self.text(bytes))
        case .device(let bytes): self = .device(Self.text(bytes))
        case .text(let bytes): self = .text(Self.text(bytes))
        }
    }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Action {
    var inInterface: ApprovalActionName {
        switch self {
        case .signIn: .signIn
        case .pay: .pay
        case .change: .change
        case .agree: .agree
        }
    }

    init(_ action: ApprovalAction) {
        switch action {
        case .signIn: self = .signIn
        case .pay: self = .pay
        case .change: self = .change
        case .agree: self = .agree
        }
    }
}
