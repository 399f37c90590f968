import ArgumentParser
import Encodings
import Foundation
import HandSignatures
import Interface
import Server

/// `countersign signatures compare`.
struct SignaturesCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare a signature with five of the person who should have written it.",
        discussion: """
            Prints score, threshold and their difference. A score above the threshold says that the signature is more \
            likely forged; docs/hand-signatures.md says how often that is wrong. Forms of files: docs/capture-formats.md.

              countersign signatures compare probe.json --references one.json two.json three.json four.json five.json

            Exit codes: 0 like the others, 1 not like them, 2 could not tell.
            """)

    @Argument(help: "The signature in question.", completion: .file()) var probe: String
    @Option(parsing: .upToNextOption, help: "Five signatures of the person.", completion: .file())
    var references: [String]
    @Option(help: "A model that 'train' wrote, instead of the program's.") var model: String?
    @OptionGroup var captures: CaptureOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard references.count == Enrolment.size else {
            throw ValidationError("give \(Enrolment.size) references, not \(references.count)")
        }
    }

    func run() async throws {
        let capture = try captures.read(probe)
        let model = try ModelFiles.read(model, for: capture.tool)
        let others = try references.map { (path: $0, capture: try captures.read($0)) }
        let enrolment = Enrolment(try others.map { try prepared($0.path, $0.capture, model) })
        let score = model.score(try prepared(probe, capture, model), against: enrolment)
        let isAccepted = score <= model.threshold
        let (fit, traits) = try model.fit(of: [capture] + others.map(\.capture))
        let device = ComparedDevice(fit, traits)
        if output.json {
            Output.print(
                .members([
                    (
                        "device",
                        .members([("fit", .text(device.fit.rawValue)), ("sentence", .text(device.sentence))])
                    ),
                    ("difference", Fraction.json(score - model.threshold)), ("is_accepted", .bool(isAccepted)),
                    ("score", Fraction.json(score)), ("threshold", Fraction.json(model.threshold)),
                ]))
        } else {
            Output.line(isAccepted ? "The signature is like the others." : "The signature is not like the others.")
            Output.line(
                "  score \(Fraction.text(score)), threshold \(Fraction.text(model.threshold)), difference "
                    + Fraction.text(score - model.threshold))
            Output.line("  " + device.sentence)
        }
        guard isAccepted else { throw ExitCode(1) }
    }

    private func prepared(_ path: String, _ capture: Capture, _ model: SignatureModel) throws -> PreparedSignature {
        guard capture.tool == model.tool else {
            throw CommandError("\(path) was written with another tool: pens and fingers are not compared")
        }
        do {
            return try PreparedSignature(capture, model.preparation)
        } catch {
            throw CommandError("\(path): \(error.words)")
        }
    }
}

/// Models of files, or the program's own.
enum ModelFiles {
    /// - Parameter path: `nil` for the model that comes with the program.
    static func read(_ path: String?, for tool: Capture.Tool) throws -> SignatureModel {
        guard let path else {
            guard tool != .mouse else { throw CommandError("there is no model for a mouse: use a pen or a finger") }
            return try ShippedModels.read(tool)
        }
        do {
            let model = try SignatureModel(file: try Files.read(path))
            guard model.tool == tool else {
                throw CommandError("the model is for signatures with \(model.tool == .pen ? "pens" : "fingers")")
            }
            return model
        } catch let error as ModelError {
            throw CommandError("\(path) is not a model that this version knows: \(error)")
        }
    }
}
