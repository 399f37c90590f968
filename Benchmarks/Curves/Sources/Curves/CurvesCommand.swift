import ArgumentParser
import CPeers
import EllipticCurves
import Foundation

/// `curves`: our elliptic curves beside OpenSSL, BoringSSL and affine formulas over BigInt.
@main
struct CurvesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curves",
        abstract: "Key agreements, signatures and checks a second on one core, beside three peers.",
        discussion: """
            Every peer has the same keys and the same message of 32 bytes. Their answers are compared first. Then they \
            take turns in every round. Time is the processor's. A signature and its check include the hash.

            BoringSSL, as swift-crypto has it, lacks P-192 and secp192k1. OpenSSL and BoringSSL are called by their \
            lowest functions, and have checked the other's point before; ours checks it each time.
            """)

    @Option(help: "How many rounds.") var rounds = 7
    @Option(help: "For how many seconds of a round to do the same.") var seconds = 0.1
    @Option(help: "Only the curve of this name, as secp256r1; may be repeated.") var curve: [String] = []
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...1_000).contains(rounds), 0.001...600 ~= seconds else {
            throw ValidationError("Give 1 to 1000 rounds of 0.001 to 600 seconds.")
        }
        let names = EllipticCurve.allCases.map { "\($0.name)" }
        guard curve.allSatisfy(names.contains) else {
            throw ValidationError("The curves are \(names.joined(separator: ", ")).")
        }
    }

    func run() throws {
        let curves = EllipticCurve.allCases.filter { curve.isEmpty || curve.contains("\($0.name)") }
        var rows = try curves.map { try CurveRounds($0) }
        // The first round warms everything up.
        for round in 0...rounds {
            for index in rows.indices { try rows[index].measure(seconds: seconds, round: round) }
        }
        let figures = CurvesFigures(rounds: rounds, rows: rows.flatMap(\.rows))
        guard json else { return print(figures.words) }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }
}
