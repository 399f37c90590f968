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
            Folders of recordings and research files hold signatures of many users, genuine and forged by others who had \
            practised; docs/hand-signatures.md shows them, and says how error rates are measured.

              countersign signatures evaluate recordings --cross-validate
              countersign signatures train recordings --out model.json
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
            Learns from folders: in each a folder for every writer, and in it genuine/ with at least six captures and \
            forgery/ with at least one, in any form that 'convert' reads. Names are read in the order of their bytes, so \
            number them 01, 02, …: the first five genuine ones are the references. All must be of pens, or all of fingers. \
            Research files (CSV) work too.

            Every folder or file has the same weight. Each has a threshold at which as many genuine as forged signatures \
            are mistaken, on users that the model had not learnt from, with the first five of each as references. The \
            model's threshold is their mean. The same files give the same model, to the last bit.

              countersign signatures train visit1 visit2 --out model.json
              countersign signatures train visit1.csv.gz visit2.csv.gz --out model.json
            """)

    @OptionGroup var signatures: SignatureSetOptions
    @Option(name: [.customLong("out")], help: "The file to write.", completion: .file()) var out: String
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let bar = ProgressBar(isShown: Terminal.isInteractive && !output.json)
        let recordings = try signatures.recordings(bar)
        let sets = try await signatures.compared(recordings, bar)
        let threshold = await CrossValidation(sets, tool: recordings.tool).threshold
        let file = CrossValidation.model(of: sets, tool: recordings.tool, threshold: threshold).file()
        try Files.write(file, to: out, force: force)
        let users = sets.reduce(0) { $0 + $1.users.count }
        guard !output.json else {
            return Output.print(
                .members([
                    ("bytes", .integer(Int64(file.count))), ("threshold", Fraction.json(threshold)),
                    ("users", .integer(Int64(users))),
                ]))
        }
        Output.line("\(out): learnt from \(users) users of \(sets.count) sets; threshold \(Fraction.text(threshold))")
    }
}
