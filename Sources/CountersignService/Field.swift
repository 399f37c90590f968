/// One thing that a person is shown before they answer.
public enum Field: Sendable {
    /// A sum of money in the smallest unit of its currency, whose code is one of ISO 4217.
    case amount(Int64, currency: String)
    case payee(String)
    case account(String)
    /// Where the asking browser seems to be.
    case place(String)
    /// Seconds since 1970.
    case time(Int64)
    /// The asking browser or device.
    case device(String)
    case text(String)
}

extension Field: Equatable {
    /// Whether both are the same byte for byte: what `String` calls equal may be other signed bytes.
    public static func == (left: Field, right: Field) -> Bool {
        left.kind == right.kind && left.value == right.value && left.text.utf8.elementsEqual(right.text.utf8)
    }

    private var kind: Int {
        switch self {
        case .amount: 0
        case .payee: 1
        case .account: 2
        case .place: 3
        case .time: 4
        case .device: 5
        case .text: 6
        }
    }

    private var value: Int64? {
        switch self {
        case .amount(let value, _), .time(let value): value
        case .payee, .account, .place, .device, .text: nil
        }
    }

    private var text: String {
        switch self {
        case .amount(_, let text), .payee(let text), .account(let text), .place(let text), .device(let text),
            .text(let text):
            text
        case .time: ""
        }
    }
}

/// What is asked for.
public enum Action: String, Equatable, Sendable {
    case signIn = "sign-in"
    case pay, change, agree
}
