public import Encodings

/// One thing that a challenge shows: what it is, and its value.
public enum DisplayField: Sendable, Equatable {
    /// A sum of money in the smallest unit of its currency, from 0 to 10^15.
    case amount(Int64, Currency)
    /// Who is paid.
    case payee(Bytes)
    /// Which account is meant, at the service or at the payee's bank.
    case account(Bytes)
    /// Where the asking browser seems to be.
    case place(Bytes)
    /// A time in seconds since 1970, before the year 10000.
    case time(Int64)
    /// The asking browser or device.
    case device(Bytes)
    /// Free text; line feeds begin new lines.
    case text(Bytes)

    /// The largest amount.
    public static let maximumAmount: Int64 = 1_000_000_000_000_000

    /// The name of the type in the signed bytes, and the label of its line.
    public var type: StaticString {
        switch self {
        case .amount: "amount"
        case .payee: "payee"
        case .account: "account"
        case .place: "place"
        case .time: "time"
        case .device: "device"
        case .text: "text"
        }
    }

    /// The text of a field that has one.
    var text: Bytes? {
        switch self {
        case .amount, .time: nil
        case .payee(let text), .account(let text), .place(let text), .device(let text), .text(let text): text
        }
    }

    /// Whether its value can be shown.
    var isValid: Bool {
        switch self {
        case .amount(let value, _): value >= 0 && value <= Self.maximumAmount
        case .time(let time): time >= 0 && time <= CivilTime.latest
        default: text.map { !$0.isEmpty && UTF8Text.isValid($0) } ?? false
        }
    }

    /// The dictionary in the signed bytes.
    func write(to writer: inout BencodeWriter) {
        writer.beginDictionary()
        switch self {
        case .amount(let value, let currency):
            writer.text("currency")
            writer.string(currency.code)
            writeType(to: &writer)
            writer.text("value")
            writer.integer(value)
        case .time(let time):
            writeType(to: &writer)
            writer.text("value")
            writer.integer(time)
        default:
            writer.text("text")
            writer.string(text ?? [])
            writeType(to: &writer)
        }
        writer.end()
    }

    private func writeType(to writer: inout BencodeWriter) {
        writer.text("type")
        writer.text(type)
    }

    /// Reads the dictionary.
    init(_ value: Bencode) throws(ApprovalError) {
        var members = try MemberReader(value)
        if let code = members.takeIf("currency") {
            guard let currency = code.string.flatMap({ Currency(code: $0) }) else { throw .malformed }
            try members.expect("type", "amount")
            self = .amount(try members.integer("value"), currency)
        } else if let text = members.takeIf("text") {
            guard let bytes = text.string, let type = try members.take("type").string,
                let field = Self.field(type, bytes)
            else { throw .malformed }
            self = field
        } else {
            try members.expect("type", "time")
            self = .time(try members.integer("value"))
        }
        try members.finish()
        guard isValid else { throw .malformed }
    }

    private static func field(_ type: Bytes, _ text: Bytes) -> DisplayField? {
        for field: DisplayField in [.payee(text), .account(text), .place(text), .device(text), .text(text)]
        where type.equals(field.type) {
            return field
        }
        return nil
    }
}
