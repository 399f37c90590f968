import ArgumentParser
import Encodings
import Foundation
import HandSignatures

/// `countersign signatures`.
struct SignaturesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signatures",
        abstract: "Compare hand signatures; measure, teach and check.",
        discussion: """
            Research files hold signatures of many users, genuine and forged by others who had practised; \
            docs/hand-signatures.md says how they look and how error rates are measured.

              countersign signatures evaluate set.csv.gz --cross-validate
              countersign signatures train set.csv.gz --out model.json
              countersign signatures verify report.json --trust root.pem
            """,
        subcommands: [
            SignaturesCompareCommand.self, SignaturesConvertCommand.self, SignaturesEvaluateCommand.self,
            SignaturesTrainCommand.self, SignaturesVerifyCommand.self,
        ])
}

/// `countersign signatures train`.
struct SignaturesTrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train", abstract: "Make a model from signatures of your own devices.",
        discussion: """
            Every file weighs the same. The threshold is the mean, over the files, of that at which as many genuine as \
            forged signatures are mistaken, on users that the model had not learnt from, with the first five of each as \
            references. The same files give the same model, to the last bit.

              countersign signatures train visit1.csv.gz visit2.csv.gz --out model.json
            """)

    @OptionGroup var signatures: SignatureSetOptions
    @Option(name: [.customLong("out")], help: "The file to write.") var out: String
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let bar = ProgressBar(isShown: Terminal.isInteractive && !output.json)
        let sets = try await signatures.read(bar)
        let threshold = await CrossValidation(sets, tool: signatures.tool).threshold
        let file = CrossValidation.model(of: sets, tool: signatures.tool, threshold: threshold).file()
        try Files.write(file, to: out, force: force)
        let users = sets.reduce(0) { $0 + $1.users.count }
        guard !output.json else {
            return Output.print(
                .members([
                    ("bytes", .integer(Int64(file.count))), ("threshold", Fraction.json(threshold)),
                    ("users", .integer(Int64(users))),
                ]))
        }
        Output.line("\(out): learnt from \(users) users of \(sets.count) files; threshold \(Fraction.text(threshold))")
    }
}
