public import Encodings

/// The text of a document that is signed by hand, as an editor in a page makes it: a few kinds of block, no markup.
///
/// ```json
/// {"blocks":[{"kind":"heading","level":1,"runs":[{"text":"Consent"}]},
///            {"kind":"paragraph","runs":[{"text":"I, "},{"bold":true,"field":"given_name"},{"text":", agree."}]},
///            {"items":[[{"text":"one"}]],"kind":"list","ordered":false},
///            {"kind":"table","rows":[[[{"text":"head"}]],[[{"text":"cell"}]]]}],
///  "format":"countersign-text-1"}
/// ```
///
/// `countersign-text-2` has more: see `Layout`. Members may come in any order; none may be unknown.
public struct WrittenText: Sendable, Equatable {
    /// The values put in when the document is filled in for a client.
    public enum Field: Sendable, Equatable {
        case givenName, familyName, number, date, organisation
        /// A field of clients that the organisation has defined, by its id; only in the second form.
        case custom(Bytes)
    }

    /// Letters that look alike.
    public struct Run: Sendable, Equatable {
        /// The content of a run: a text, or a field.
        public enum Content: Sendable, Equatable {
            /// UTF-8 without control characters except line ends.
            case text(Bytes)
            case field(Field)
        }
        /// A text or a field.
        public let content: Content
        /// Whether it is heavier.
        public let isBold: Bool
        /// Whether it slants.
        public let isItalic: Bool
    }

    /// One thing below the other.
    public enum Block: Sendable, Equatable {
        /// Level 1 to 3.
        case heading(Int, [Run], Alignment = .start)
        case paragraph([Run], Alignment = .start)
        case list(isOrdered: Bool, [[Run]])
        /// Rows of as many cells each; the first is the head.
        case table([[[Run]]])
        /// In print, the text after it begins on another page.
        case pageBreak
        /// Where the client's signature is put in copies and reports; the words below it.
        case signature([Run])
    }

    /// Why something is no such text.
    public enum FormError: Error, Equatable, Sendable {
        /// Longer than `maximumBytes`, or more than `mostBlocks`, items or cells.
        case tooLong
        /// The text is malformed; the block counts from 0, and is -1 for the part around the blocks.
        case malformed(block: Int)
        /// Another place of the signature: a text has at most one.
        case secondSignature(block: Int)
    }

    /// In order.
    public let blocks: [Block]
    /// How it is laid out on paper; `nil` in the first form, whose pages stay as they were, byte for byte.
    public let layout: Layout?

    /// The longest text, in bytes of JSON.
    public static let maximumBytes = 1 << 18
    /// The most blocks, items of one list, rows of one table.
    public static let mostBlocks = 2_000
    /// The most cells of a row.
    static let mostCells = 20
    private static let (format, laidOutFormat): (StaticString, StaticString) = (
        "countersign-text-1", "countersign-text-2"
    )

    /// Reads a text.
    ///
    /// - Throws: `FormError`.
    public init(_ bytes: Bytes) throws(FormError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLong }
        guard
            let json = try? JSON.parse(
                bytes, maximumLength: Self.maximumBytes, maximumDepth: 8, maximumCount: 200_000),
            let format = json["format"], let given = json["blocks"]?.array
        else { throw .malformed(block: -1) }
        if format.isString(Self.format) {
            layout = nil
        } else {
            guard format.isString(Self.laidOutFormat), let read = Layout(json["header"]) else {
                throw .malformed(block: -1)
            }
            layout = read
        }
        guard json.members?.count == (layout == nil || json["header"] == nil ? 2 : 3) else {
            throw .malformed(block: -1)
        }
        guard given.count <= Self.mostBlocks else { throw .tooLong }
        var blocks: [Block] = []
        for (number, one) in given.enumerated() {
            guard let block = Self.block(one, isLaidOut: layout != nil) else { throw .malformed(block: number) }
            guard layout != nil || !block.runs.contains(where: { $0.isCustom }) else { throw .malformed(block: number) }
            if case .signature = block, blocks.contains(where: { $0.isSignature }) {
                throw .secondSignature(block: number)
            }
            blocks.append(block)
        }
        self.blocks = blocks
    }

    /// Which fields are named somewhere.
    public var fields: [Field] {
        var found: [Field] = []
        for block in blocks {
            for run in block.runs {
                guard case .field(let field) = run.content, !found.contains(field) else { continue }
                found.append(field)
            }
        }
        return found
    }

    private static func block(_ json: JSON, isLaidOut: Bool) -> Block? {
        guard var members = json.members?.count, let kind = json["kind"] else { return nil }
        if isLaidOut, kind.isString("page-break") { return members == 1 ? .pageBreak : nil }
        if isLaidOut, kind.isString("signature") {
            guard members == 2, let runs = runs(json["runs"]) else { return nil }
            return .signature(runs)
        }
        var alignment = Alignment.start
        if isLaidOut, let given = json["align"] {
            guard let named = Alignment(given) else { return nil }
            alignment = named
            members -= 1
            guard kind.isString("heading") || kind.isString("paragraph") else { return nil }
        }
        if kind.isString("heading") {
            guard members == 3, let level = json["level"]?.integer, (1...3).contains(level),
                let runs = runs(json["runs"])
            else { return nil }
            return .heading(Int(level), runs, alignment)
        }
        if kind.isString("paragraph") {
            guard members == 2, let runs = runs(json["runs"]) else { return nil }
            return .paragraph(runs, alignment)
        }
        if kind.isString("list") {
            guard members == 3, let isOrdered = json["ordered"]?.bool, let items = json["items"]?.array,
                (1...mostBlocks).contains(items.count), let read = all(items, runs)
            else { return nil }
            return .list(isOrdered: isOrdered, read)
        }
        guard kind.isString("table"), members == 2, let rows = json["rows"]?.array,
            (1...mostBlocks).contains(rows.count), let read = all(rows, row),
            read.allSatisfy({ $0.count == read[0].count })
        else { return nil }
        return .table(read)
    }

    private static func row(_ json: JSON?) -> [[Run]]? {
        guard let cells = json?.array, (1...mostCells).contains(cells.count) else { return nil }
        return all(cells, runs)
    }

    private static func runs(_ json: JSON?) -> [Run]? {
        guard let given = json?.array else { return nil }
        return all(given, run)
    }

    private static func run(_ json: JSON?) -> Run? {
        guard let json, let members = json.members else { return nil }
        let (text, field, bold, italic) = (json["text"], json["field"], json["bold"], json["italic"])
        let known = [text, field, bold, italic].count { $0 != nil }
        guard known == members.count, (text == nil) != (field == nil), bold == nil || bold?.bool != nil,
            italic == nil || italic?.bool != nil
        else { return nil }
        let content: Run.Content
        if let text {
            guard let bytes = text.string, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A }) else {
                return nil
            }
            content = .text(bytes)
        } else {
            guard let named = field?.string.flatMap(Field.init(name:)) else { return nil }
            content = .field(named)
        }
        return Run(content: content, isBold: bold?.bool ?? false, isItalic: italic?.bool ?? false)
    }

    private static func all<Value>(_ given: [JSON], _ read: (JSON?) -> Value?) -> [Value]? {
        var values: [Value] = []
        for one in given {
            guard let value = read(one) else { return nil }
            values.append(value)
        }
        return values
    }
}

extension WrittenText.Block {
    /// All its runs, in order.
    var runs: [WrittenText.Run] {
        switch self {
        case .heading(_, let runs, _), .paragraph(let runs, _), .signature(let runs): runs
        case .pageBreak: []
        case .list(_, let items): items.flatMap { $0 }
        case .table(let rows): rows.flatMap { $0.flatMap { $0 } }
        }
    }

    /// Whether it is the place of the signature.
    fileprivate var isSignature: Bool {
        if case .signature = self { true } else { false }
    }
}

extension WrittenText.Run {
    fileprivate var isCustom: Bool {
        if case .field(.custom) = content { true } else { false }
    }
}
