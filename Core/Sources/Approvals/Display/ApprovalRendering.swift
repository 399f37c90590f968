public import Encodings

/// One line that a person reads before they answer.
public struct RenderedLine: Sendable, Equatable {
    /// What the line is: a word that a page translates, and a program prints as it is.
    public let label: StaticString
    /// The value, the same in every language, neutralised.
    public let text: Bytes

    /// Whether both lines read the same.
    public static func == (left: RenderedLine, right: RenderedLine) -> Bool {
        left.text == right.text && ApprovalStatement.bytes(left.label) == ApprovalStatement.bytes(right.label)
    }
}

/// How a challenge is shown: a pure function of its signed bytes, with vectors that other programs can check.
///
/// Every wallet shows these lines, all of them, in this order. Its answer covers a hash of them.
public enum ApprovalRendering {
    /// The name and version of these rules; every challenge names them in its bytes.
    public static let version: StaticString = "authreq-render/1"

    /// The label of a further line of free text.
    static let continued: StaticString = "more"

    /// A text of a service as every line shows it: what could hide, move or imitate other text is written out.
    ///
    /// - Parameter text: valid UTF-8.
    public static func neutralised(_ text: Bytes) -> Bytes { NeutralText.neutralised(text) }

    /// The lines.
    public static func lines(_ challenge: ApprovalChallenge) -> [RenderedLine] {
        let service = challenge.service
        var lines = [
            RenderedLine(
                label: "service",
                text: NeutralText.neutralised(service.name) + [0x20, 0x28] + service.id + [0x29]),
            RenderedLine(label: "action", text: ApprovalStatement.bytes(challenge.action.name)),
        ]
        for field in challenge.fields { append(field, to: &lines) }
        if challenge.approvers.count > 1 {
            let share = decimalBytes(UInt64(challenge.need)) + Bytes(text: " of ")
            lines.append(
                RenderedLine(label: "approvals", text: share + decimalBytes(UInt64(challenge.approvers.count))))
        }
        lines.append(RenderedLine(label: "expires", text: CivilTime.text(challenge.expires)))
        return lines
    }

    /// The lines as one text, whose SHA-256 every answer covers: label, colon, space, value, line feed.
    ///
    /// A value with letters beyond ASCII stands between U+2068 and U+2069, so that the direction of its script ends
    /// with it.
    public static func text(_ lines: [RenderedLine]) -> Bytes {
        var text: Bytes = []
        for line in lines {
            text += ApprovalStatement.bytes(line.label) + [0x3A, 0x20]
            let isASCII = line.text.allSatisfy { $0 < 0x80 }
            text += isASCII ? line.text : [0xE2, 0x81, 0xA8] + line.text + [0xE2, 0x81, 0xA9]
            text.append(0x0A)
        }
        return text
    }

    private static func append(_ field: DisplayField, to lines: inout [RenderedLine]) {
        switch field {
        case .amount(let value, let currency):
            lines.append(RenderedLine(label: field.type, text: amount(value, currency)))
        case .time(let time): lines.append(RenderedLine(label: field.type, text: CivilTime.text(time)))
        case .text(let text):
            for (index, line) in text.split(at: 0x0A).enumerated() {
                lines.append(
                    RenderedLine(label: index == 0 ? field.type : continued, text: NeutralText.neutralised(line)))
            }
        default:
            lines.append(RenderedLine(label: field.type, text: NeutralText.neutralised(field.text ?? [])))
        }
    }

    /// `1 234 567.89 GBP`: groups of three with a space between them, as many decimals as the currency has.
    public static func amount(_ value: Int64, _ currency: Currency) -> Bytes {
        var digits = decimalBytes(UInt64(value))
        while digits.count <= currency.exponent { digits.insert(0x30, at: 0) }
        let whole = digits.count - currency.exponent
        var text: Bytes = []
        for index in 0..<whole {
            if index > 0, (whole - index) % 3 == 0 { text.append(0x20) }
            text.append(digits[index])
        }
        if currency.exponent > 0 { text += [0x2E] + digits[whole...] }
        return text + [0x20] + currency.code
    }
}
