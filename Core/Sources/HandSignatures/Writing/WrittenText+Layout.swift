public import Encodings

extension WrittenText {
    /// How a text is laid out on paper: what `countersign-text-2` has beyond the first form.
    ///
    /// ```json
    /// {"blocks":[{"align":"centre","kind":"paragraph","runs":[{"text":"Between us"}]},{"kind":"page-break"},
    ///            {"kind":"signature","runs":[{"text":"Signature of the client"}]}],
    ///  "format":"countersign-text-2","header":true}
    /// ```
    public struct Layout: Sendable, Equatable {
        /// Whether the organisation's logo and name are at the top.
        public let hasHeader: Bool

        /// - Returns: `nil` for a header that is neither true nor false.
        init?(_ header: JSON?) {
            guard let header else {
                hasHeader = false
                return
            }
            guard let isThere = header.bool else { return nil }
            hasHeader = isThere
        }
    }

    /// Where the lines of a heading or paragraph are.
    public enum Alignment: Sendable, Equatable {
        case start, centre, end

        init?(_ json: JSON) {
            switch true {
            case json.isString("start"): self = .start
            case json.isString("centre"): self = .centre
            case json.isString("end"): self = .end
            default: return nil
            }
        }
    }

    /// The organisation's logo, which becomes part of the page.
    public struct Logo: Sendable {
        /// The kind of such a picture.
        public enum Kind: Sendable { case png, svg }
        /// What it is.
        public let kind: Kind
        /// The file.
        public let bytes: Bytes

        /// Takes a picture that was checked: it is only ever shown with `<img>`.
        public init(_ kind: Kind, _ bytes: Bytes) {
            self.kind = kind
            self.bytes = bytes
        }

        /// The address of a picture that is in the page itself.
        var address: Bytes {
            let type = kind == .png ? "image/png" : "image/svg+xml"
            return Bytes(text: "data:" + type + ";base64,") + Base64.encode(bytes, .standard)
        }
    }

    // MARK: A page that was signed

    /// The mark at which the body of a page begins: no text holds it, because none holds a bracket.
    private static let begin = Bytes(text: "</style>\n")
    private static let end = Bytes(text: "</html>\n")
    static let place = Bytes(text: "<p class=\"signature\">")

    /// The body of a page that was signed, with a signature at the place that the text has for it.
    ///
    /// - Parameters:
    ///   - signature: markup, put before the words of the place.
    ///   - page: bytes that `page` made, now or in an earlier version.
    /// - Returns: `nil` for a page that has no such place.
    public static func body(placing signature: Bytes, in page: Bytes) -> Bytes? {
        guard page.starts(with: head), page.suffix(end.count).elementsEqual(end),
            let style = first(begin, in: page, from: head.count),
            let there = first(place, in: page, from: style + begin.count)
        else { return nil }
        let inner = page[(style + begin.count)..<there]
        return inner + signature + page[there..<(page.count - end.count)]
    }

    private static func first(_ part: Bytes, in bytes: Bytes, from start: Int) -> Int? {
        guard bytes.count - part.count >= start else { return nil }
        return (start...(bytes.count - part.count)).first { place in
            bytes[place] == part[0] && bytes[place..<(place + part.count)].elementsEqual(part)
        }
    }
}
