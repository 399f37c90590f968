import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import HandSignatures
import Wallet

/// `countersign signatures evaluate`.
struct SignaturesEvaluateCommand: AsyncParsableCommand {
    /// Which genuine signatures are the references.
    enum References: String, ExpressibleByArgument, CaseIterable {
        case first5, rand5
    }

    /// Which way of comparing is tried.
    enum Method: String, ExpressibleByArgument, CaseIterable {
        case countersign, original
    }

    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measure how often genuine and forged signatures are mistaken.",
        discussion: """
            EER is the rate at which as many genuine as forged signatures are mistaken (ISO/IEC 19795-1), with one \
            threshold for all users; in brackets, what 90 of 100 draws of users give. With --cross-validate every user \
            is judged by a model, and at a threshold, that were made without that person. With --leave-sets-out every \
            file is judged by a model of the other files: expect this from a device that the model has never seen. \
            Otherwise the model that comes with the program judges, or yours with --model: say what it has learnt from, \
            because on those users its figures are too good. 'train' says how to lay out folders of recordings.

              countersign signatures evaluate recordings --cross-validate
              countersign signatures evaluate set.csv.gz --cross-validate --protocol rand5 --report rates.html
              countersign signatures evaluate tablet1 tablet2 tablet3 --leave-sets-out
              countersign signatures evaluate set.csv.gz --model model.json --json
              countersign signatures evaluate set.csv.gz --method original
            """)

    @OptionGroup var signatures: SignatureSetOptions
    @Option(name: .customLong("protocol"), help: "The first five signatures as references, or ten draws of five.")
    var references: References = .first5
    @Flag(help: "Learn from four fifths of the users of all files, judge the others, five times.")
    var crossValidate = false
    @Flag(help: "Learn from all files except one, judge the users of that one; for each of them.")
    var leaveSetsOut = false
    @Option(help: "A model that 'train' wrote.") var model: String?
    @Option(help: "This program's way of comparing, or that of Biometrix, which learns nothing.")
    var method: Method = .countersign
    @Option(help: "A page to write, with the figures and the curves of both errors.") var report: String?
    @Option(
        help: "A file to write for reports of transactions: all scores, nothing else. With the first five only.",
        completion: .file())
    var rates: String?
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [crossValidate, leaveSetsOut, model != nil].count(where: { $0 }) < 2 else {
            throw ValidationError("give one of --cross-validate, --leave-sets-out and --model")
        }
        guard !leaveSetsOut || signatures.files.count > 1 else {
            throw ValidationError("--leave-sets-out needs two files or folders")
        }
        guard rates == nil || method == .countersign else { throw ValidationError("--rates is for models") }
        guard rates == nil || references == .first5 else { throw ValidationError("--rates is for first5") }
        guard method == .countersign || !learns && model == nil else {
            throw ValidationError(
                "--method original has no models: leave out --cross-validate, --leave-sets-out and --model")
        }
    }

    func run() async throws {
        let (results, tool) = try await evaluated()
        if let report {
            let page = EvaluationPage(protocol: references.rawValue, judge: judge, isTouch: tool == .touch)
            try Files.write(Bytes(text: page.html(results)), to: report, force: force, option: "--report")
        }
        if let rates {
            let file = RatesFile(
                results.map(\.evaluation), judgedBy: try judgedBy(tool), sets: results.map { Bytes(text: $0.title) },
                tool: tool)
            try Files.write(file.file(), to: rates, force: force, option: "--rates")
        }
        if output.json {
            let all = results.map(\.json)
            return Output.print(all.count == 1 ? all[0] : .members([("items", .array(all))]))
        }
        for result in results {
            Output.line(result.title)
            Output.table(["WHAT", "RATE"], result.rows)
        }
    }

    /// By what users are judged, in words.
    private var judge: String {
        if method == .original { return "the method of Biometrix" }
        if crossValidate { return "models that have not learnt from them (five folds by user)" }
        if leaveSetsOut { return "models that have not learnt from the set that they are in" }
        return model.map { "the model \(URL(fileURLWithPath: $0).lastPathComponent)" } ?? "the model of the program"
    }

    /// The same, as it is in the file of rates.
    private func judgedBy(_ tool: Capture.Tool) throws -> Bytes {
        guard !learns else { return RatesFile.crossValidation }
        return Bytes(text: SHA256.hash(try ModelFiles.read(model, for: tool).file()).base64URL)
    }

    /// Whether models are made that have not learnt from those whom they judge.
    private var learns: Bool { crossValidate || leaveSetsOut }

    private func evaluated() async throws -> (results: [EvaluatedSet], tool: Capture.Tool) {
        let bar = ProgressBar(isShown: Terminal.isInteractive && !output.json)
        let references: Evaluation.References = references == .first5 ? .first : .random
        let recordings = try signatures.recordings(bar)
        if method == .original {
            let results = try await signatures.comparedAsOriginal(recordings, bar).map { set in
                EvaluatedSet(set, Evaluation(set.users, references) { $1[0] }) { _ in OriginalSignature.margin }
            }
            return (results, recordings.tool)
        }
        // A model that does not fit is told before the long work.
        let given = learns ? nil : try ModelFiles.read(model, for: recordings.tool)
        let sets = try await signatures.compared(recordings, bar)
        let judges = await self.judges(of: sets, given, tool: recordings.tool)
        let results = zip(sets, judges).map { set, judge in
            EvaluatedSet(set, Evaluation(set.users, references) { judge($0).score(of: $1) }) { judge($0).threshold }
        }
        return (results, recordings.tool)
    }

    /// For each set, the model that judges a user of it.
    private func judges(
        of sets: [SignatureSet<PreparedSignature>], _ given: SignatureModel?, tool: Capture.Tool
    ) async -> [(_ user: Int) -> SignatureModel] {
        if let given { return sets.map { _ in { _ in given } } }
        if leaveSetsOut {
            return await CrossValidation.withoutEach(sets, tool: tool).map { model in { _ in model } }
        }
        let crossed = await CrossValidation(sets, tool: tool)
        return sets.map { _ in crossed.model(for:) }
    }
}
