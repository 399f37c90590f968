public import Encodings

/// The scores of an evaluation, as reports show them: how often a threshold errs, and a curve.
///
///     {"format": "countersign-signature-rates-1", "genuine": [n, …], "judged_by": "…", "others": [n, …],
///      "sets": ["…"], "skilled": [n, …], "tool": "pen"}
///
/// `judged_by` is the SHA-256 of the model's file, base64url, or `cross-validation`: models that had not learnt from
/// the people judged.
/// Scores are in thousandths and rising. Nothing about a signature or a person can be learnt from them.
public struct RatesFile: Sendable, Equatable {
    /// What the signatures were written with.
    public let tool: Capture.Tool
    /// SHA-256 of the file of the model that judged, base64url, or `crossValidation`.
    public let judgedBy: Bytes
    /// What was evaluated, in words.
    public let sets: [Bytes]
    /// Scores in thousandths: of genuine signatures, of skilled forgeries, of other people's own signatures.
    let genuine, skilled, others: [Int64]

    /// The largest file, in bytes.
    public static let maximumLength = 1 << 20
    /// In place of a model: several that had not learnt from the people judged.
    public static var crossValidation: Bytes { Bytes(text: "cross-validation") }
    private static let format: StaticString = "countersign-signature-rates-1"

    /// The scores of evaluations; of each kind at least one.
    public init(_ evaluations: [Evaluation], judgedBy: Bytes, sets: [Bytes], tool: Capture.Tool) {
        func thousandths(_ scores: [Double]) -> [Int64] {
            scores.map { Int64(($0 * 1_000).rounded(.toNearestOrEven)) }.sorted()
        }
        self.tool = tool
        self.judgedBy = judgedBy
        self.sets = sets
        genuine = thousandths(evaluations.flatMap { $0.users.flatMap { $0.genuine.flatMap { $0 } } })
        skilled = thousandths(evaluations.flatMap { $0.users.flatMap { $0.skilled.flatMap { $0 } } })
        others = thousandths(evaluations.flatMap { $0.users.flatMap { $0.random } })
    }

    /// Reads a file.
    ///
    /// - Returns: `nil` when it is none.
    public init?(_ bytes: Bytes) {
        guard let json = try? JSON.parse(bytes, maximumLength: Self.maximumLength, maximumDepth: 3),
            json.members?.count == 7, json["format"]?.isString(Self.format) == true,
            let genuine = Self.numbers(json["genuine"]), let skilled = Self.numbers(json["skilled"]),
            let others = Self.numbers(json["others"]), let judgedBy = json["judged_by"]?.string,
            let named = json["sets"]?.array
        else { return nil }
        if json["tool"]?.isString("pen") == true {
            tool = .pen
        } else if json["tool"]?.isString("touch") == true {
            tool = .touch
        } else {
            return nil
        }
        var sets: [Bytes] = []
        for one in named {
            guard let name = one.string else { return nil }
            sets.append(name)
        }
        self.judgedBy = judgedBy
        self.sets = sets
        self.genuine = genuine
        self.skilled = skilled
        self.others = others
    }

    /// The file.
    public func file() -> Bytes {
        JSON.members([
            ("format", .text("countersign-signature-rates-1")), ("genuine", Self.json(genuine)),
            ("judged_by", .string(judgedBy)), ("others", Self.json(others)), ("sets", .array(sets.map { .string($0) })),
            ("skilled", Self.json(skilled)), ("tool", .text(tool == .pen ? "pen" : "touch")),
        ]).serialized() + [0x0A]
    }

    /// How often a threshold errs, in shares of one.
    public func rates(at threshold: Double) -> (genuineRefused: Double, forgedAccepted: Double, othersAccepted: Double)
    {
        (
            curves.skilled.falseRejection(at: threshold), curves.skilled.falseAcceptance(at: threshold),
            curves.others.falseAcceptance(at: threshold)
        )
    }

    /// Both kinds of error against each other, with the threshold marked.
    public func plot(threshold: Double) -> Bytes {
        DETPlot.svg([
            DETPlot.Curve(name: Bytes(text: "skilled forgeries"), rates: curves.skilled, threshold: threshold),
            DETPlot.Curve(name: Bytes(text: "other people"), rates: curves.others, threshold: threshold),
        ])
    }

    private var curves: (skilled: ErrorRates, others: ErrorRates) {
        func scores(_ thousandths: [Int64]) -> [Double] { thousandths.map { Double($0) / 1_000 } }
        return (
            ErrorRates(genuine: scores(genuine), forged: scores(skilled)),
            ErrorRates(genuine: scores(genuine), forged: scores(others))
        )
    }

    private static func numbers(_ json: JSON?) -> [Int64]? {
        guard let given = json?.array, !given.isEmpty else { return nil }
        var numbers: [Int64] = []
        for one in given {
            guard let number = one.integer, number.magnitude <= 1_000_000_000 else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    private static func json(_ numbers: [Int64]) -> JSON { .array(numbers.map { .integer($0) }) }
}
