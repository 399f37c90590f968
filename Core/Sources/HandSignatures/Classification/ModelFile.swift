public import Encodings

/// The file of a model: JSON, whole numbers only, so that reading and writing it changes no score.
///
///     {"format": "countersign-signature-model-1", "tool": "pen" | "touch",
///      "linear": {"means": [85], "scales": [85], "coefficients": [85], "intercept": n, "clip": n},
///      "trees": {"intercept": n, "trees": [tree, …]}, "threshold": n,
///      "learnt_from": [{"name": "…", "users": n, "tool": "pen" | "touch", "interval_microseconds": n,
///                       "tells_pressure": bool}, …]}
///
/// The last member is missing in files of models that do not say from what they have learnt.
/// A tree is a number, its value, or `[input, threshold, tree, tree]`: the first when the input is at most the threshold.
/// Numbers are in billionths, in trees in millionths.
extension SignatureModel {
    private static let format: StaticString = "countersign-signature-model-1"
    /// More than any model has, so that a file cannot make scores slow.
    private static let mostTrees = 2_000
    private static let mostNodes = 127
    private static let mostSources = 100
    /// The largest file, in bytes.
    public static let maximumLength = 1 << 20

    /// Reads a model.
    ///
    /// - Throws: `ModelError` when the file is none, or is for other inputs than this version has.
    public init(file bytes: Bytes) throws(ModelError) {
        guard let json = try? JSON.parse(bytes, maximumLength: Self.maximumLength),
            json.members?.count == (json["learnt_from"] == nil ? 5 : 6), json["format"]?.isString(Self.format) == true
        else { throw .malformed }
        tool = try Self.tool(json["tool"])
        learntFrom = try json["learnt_from"].map(Self.sources) ?? []
        guard let sum = json["linear"], sum.members?.count == 5 else { throw .malformed }
        linear = LinearClassifier(
            means: try Self.numbers(sum["means"]), scales: try Self.numbers(sum["scales"]),
            coefficients: try Self.numbers(sum["coefficients"]), intercept: try Self.number(sum["intercept"]),
            clip: try Self.number(sum["clip"]))
        guard linear.clip > 0 else { throw .malformed }
        for scale in linear.scales where scale <= 0 { throw .malformed }
        guard let grown = json["trees"], grown.members?.count == 2, let trees = grown["trees"]?.array,
            trees.count <= Self.mostTrees
        else { throw .malformed }
        self.trees = BoostedTrees(intercept: try Self.number(grown["intercept"]), trees: [])
        for tree in trees {
            var nodes: [BoostedTrees.Node] = [.value(0)]
            try Self.read(tree, at: 0, &nodes)
            self.trees.trees.append(nodes)
        }
        threshold = try Self.number(json["threshold"])
    }

    private static func tool(_ json: JSON?) throws(ModelError) -> Capture.Tool {
        if json?.isString("pen") == true { return .pen }
        guard json?.isString("touch") == true else { throw .malformed }
        return .touch
    }

    private static func sources(_ json: JSON) throws(ModelError) -> [Source] {
        guard let array = json.array, (1...mostSources).contains(array.count) else { throw .malformed }
        var sources: [Source] = []
        for one in array {
            guard one.members?.count == 5, let name = one["name"]?.string, let users = one["users"]?.integer,
                users > 0, let interval = one["interval_microseconds"]?.integer,
                (1...Capture.longest).contains(interval), let tellsPressure = one["tells_pressure"]?.bool
            else { throw .malformed }
            let traits = RecordingTraits(
                tool: try tool(one["tool"]), interval: interval, tellsPressure: tellsPressure)
            sources.append(Source(name: name, users: Int(clamping: users), traits: traits))
        }
        return sources
    }

    private static func number(_ json: JSON?, _ unit: Double = 1e9) throws(ModelError) -> Double {
        guard let value = json?.integer else { throw .malformed }
        return Double(value) / unit
    }

    private static func numbers(_ json: JSON?) throws(ModelError) -> [Double] {
        guard let array = json?.array else { throw .malformed }
        guard array.count == Enrolment.inputs else { throw .otherInputs(array.count) }
        var numbers: [Double] = []
        for value in array { numbers.append(try number(value)) }
        return numbers
    }

    private static func read(
        _ tree: JSON, at place: Int, _ nodes: inout [BoostedTrees.Node]
    ) throws(ModelError) {
        guard let question = tree.array else {
            nodes[place] = .value(Float(try number(tree, 1e6)))
            return
        }
        guard question.count == 4, let input = question[0].integer, (0..<Int64(Enrolment.inputs)).contains(input),
            nodes.count < mostNodes
        else { throw .malformed }
        let yes = nodes.count
        nodes[place] = .question(input: Int(input), threshold: Float(try number(question[1], 1e6)), yes: yes)
        nodes += [.value(0), .value(0)]
        try read(question[2], at: yes, &nodes)
        try read(question[3], at: yes + 1, &nodes)
    }

    /// The model's file.
    public func file() -> Bytes {
        var members: [(String, JSON)] = [
            ("format", .text("countersign-signature-model-1")), ("tool", Self.written(tool)),
            (
                "linear",
                .members([
                    ("means", Self.written(linear.means)), ("scales", Self.written(linear.scales)),
                    ("coefficients", Self.written(linear.coefficients)),
                    ("intercept", Self.written(linear.intercept)), ("clip", Self.written(linear.clip)),
                ])
            ),
            (
                "trees",
                .members([
                    ("intercept", Self.written(trees.intercept)),
                    ("trees", .array(trees.trees.map { Self.written($0, 0) })),
                ])
            ),
            ("threshold", Self.written(threshold)),
        ]
        if !learntFrom.isEmpty { members.append(("learnt_from", .array(learntFrom.map { Self.written($0) }))) }
        return JSON.members(members).serialized()
    }

    private static func written(_ tool: Capture.Tool) -> JSON { .text(tool == .pen ? "pen" : "touch") }

    private static func written(_ source: Source) -> JSON {
        .members([
            ("name", .string(source.name)), ("users", .integer(Int64(source.users))),
            ("tool", written(source.traits.tool)), ("interval_microseconds", .integer(source.traits.interval)),
            ("tells_pressure", .bool(source.traits.tellsPressure)),
        ])
    }

    private static func written(_ value: Double, _ unit: Double = 1e9) -> JSON {
        .integer(Int64((value * unit).rounded(.toNearestOrEven)))
    }

    private static func written(_ values: [Double]) -> JSON { .array(values.map { written($0) }) }

    private static func written(_ tree: [BoostedTrees.Node], _ place: Int) -> JSON {
        switch tree[place] {
        case .value(let value): written(Double(value), 1e6)
        case .question(let input, let threshold, let yes):
            .array([
                .integer(Int64(input)), written(Double(threshold), 1e6), written(tree, yes), written(tree, yes + 1),
            ])
        }
    }
}

/// Why a file is no model.
public enum ModelError: Error, Equatable, Sendable {
    /// It is not of the form.
    case malformed
    /// It is for so many inputs: another version's.
    case otherInputs(Int)
}
