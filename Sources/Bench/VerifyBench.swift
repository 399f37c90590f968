import ArgumentParser
import Certificates
import CryptoProvider
import Documents
import Encodings
import Foundation
import Transparency
import Verification

/// `countersign-bench verify`: how fast a presentation is checked, in CPU time of one core.
struct VerifyBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the presentation that `countersign demo --keep DIR` left, again and again.")

    @Argument(help: "What the demo left.") var directory: String
    @Option(help: "For how many seconds of CPU to measure each.") var seconds = 2.0
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let files = Files(directory: directory)
        let root = try TrustAnchor(der: PEM.decode(try files.read("root.pem")).first ?? [])
        let policy = try LogPolicy.read(try files.trimmed("log.vkey"))
        let suite = SwiftCryptoSuite()
        let bundle = try files.read("bundle")
        let options = VerificationOptions(
            time: Int64(Date().timeIntervalSince1970), audience: try files.trimmed("audience.txt"),
            nonce: try files.trimmed("nonce.txt"))
        let verifier = Verifier(root: root, policy: policy, suite: suite)
        guard verifier.verify(bundle, options: options).verdict == .valid else {
            throw ValidationError("The bundle is not valid now. Run the demo again.")
        }
        let whole = measure { _ = verifier.verify(bundle, options: options) }
        let leaf = try Certificate.parse(try PEM.decode(try files.read("chain.pem"), maximumCount: 4)[0]).publicKey
        let presentation = try files.trimmed("presentation.sd-jwt")
        try checkSignatures(presentation, leaf: leaf, options: options, suite: suite)
        let signatures = measure {
            try? checkSignatures(presentation, leaf: leaf, options: options, suite: suite)
        }
        try Figures(wholeCheckMilliseconds: 1000 / whole, wholeChecksPerSecond: whole, signaturesPerSecond: signatures)
            .print(json: json)
    }

    /// The same work as the peer's: parse, issuer's signature, disclosures, key binding with audience and nonce.
    private func checkSignatures(
        _ presentation: Bytes, leaf: P256PublicKey, options: VerificationOptions, suite: SwiftCryptoSuite
    ) throws {
        let parsed = try UnverifiedSDJWT.parse(presentation)
        let processed = try parsed.signed(by: leaf, suite: suite).processed(suite: suite)
        guard let holder = processed.claims["cnf"]?["jwk"].flatMap({ P256PublicKey(jwk: $0) }) else { return }
        let binding = try KeyBinding.verified(in: parsed, holder: holder, suite: suite)
        if let audience = options.audience { try binding.check(audience: audience) }
        if let nonce = options.nonce { try binding.check(nonce: nonce) }
    }

    /// How often the body runs in a second of CPU time.
    private func measure(_ body: () -> Void) -> Double {
        let start = LogBench.processorSeconds()
        var count = 0
        var spent = 0.0
        repeat {
            body()
            count += 1
            spent = LogBench.processorSeconds() - start
        } while spent < seconds
        return Double(count) / spent
    }

    private struct Files {
        let directory: String

        func read(_ name: String) throws -> Bytes {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)")))
        }

        func trimmed(_ name: String) throws -> Bytes {
            var bytes = try read(name)
            while bytes.last == 0x0A { bytes.removeLast() }
            return bytes
        }
    }

    private struct Figures: BenchFigures {
        let wholeCheckMilliseconds: Double
        let wholeChecksPerSecond: Double
        let signaturesPerSecond: Double

        var words: String {
            """
            whole check: \(String(format: "%.3f", wholeCheckMilliseconds)) ms of CPU, \(Int(wholeChecksPerSecond)) a second
            issuer signature and key binding only: \(Int(signaturesPerSecond)) a second
            """
        }
    }
}
