import BrowserCalls
import Encodings
import Foundation
import HandSignatures
import SignatureBrowser
import Testing
import Wallet

/// Comparisons made natively, to be made again in a browser.
struct SignatureCalls {
    private struct Call: Codable {
        let call: String
        let answer: String
        let model: Bool
    }

    private var calls: [Call] = []
    private let model: Bytes
    /// How many comparisons there are.
    private(set) var pairs = 0

    init(model: Bytes) { self.model = model }

    /// Adds comparisons of each user's later signatures, and of forged ones, with the user's first five.
    ///
    /// - Parameter count: how many users, and how many signatures of each kind.
    mutating func add(_ signatures: [ResearchCSV.Signature], users: Int, genuine: Int, forged: Int) throws {
        var names: [Bytes] = []
        for one in signatures where !names.contains(one.user) { names.append(one.user) }
        for name in names.prefix(users) {
            let own = signatures.filter { $0.user == name && !$0.isForgery }
            let others = signatures.filter { $0.user == name && $0.isForgery }
            let references = try own.prefix(Enrolment.size).map { try Self.json($0.capture) }
            for probe in own.dropFirst(Enrolment.size).prefix(genuine) + others.prefix(forged) {
                let capture = try Self.json(probe.capture)
                try add("compare", [("references", .array(references)), ("capture", capture)], isWithModel: true)
                try add("inspect", [("capture", capture)], isWithModel: false)
                pairs += 1
            }
        }
    }

    private static func json(_ capture: Capture) throws -> JSON { try JSON.parse(CaptureJSON.write(capture)) }

    /// Adds a call with what the native code answers.
    private mutating func add(_ name: String, _ arguments: [(String, JSON)], isWithModel: Bool) throws {
        let call = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()])
        let answer = SignatureBrowser.answer(isWithModel ? call + Frames.joined([model]) : call)
        // A refusal would be alike, too.
        #expect(answer.dropFirst(4).first == 0, "\(String(decoding: answer.dropFirst(9).prefix(200), as: UTF8.self))")
        calls.append(Call(call: call.base64URL, answer: answer.base64URL, model: isWithModel))
    }

    /// The file that `signature_module.py` reads.
    func file() throws -> Data { try JSONEncoder().encode(calls) }
}

extension BrowserTests {
    /// Movements that nobody made, and where the research sets are, real ones.
    @Test(
        "Hand signatures have the same scores in WebAssembly, bit for bit",
        .enabled(if: !ServerDatabase.isPostgres, "It needs no server."))
    func signatureModule() async throws {
        let path = Program.repository.appendingPathComponent("Web/hand-signatures/pen-model.json").path
        var calls = SignatureCalls(model: Bytes(try Data(contentsOf: URL(fileURLWithPath: path))))
        let made = try ResearchCSV.read(Bytes(text: SignaturesTests.file(users: 40, seed: 7)))
        try calls.add(made, users: 40, genuine: 2, forged: 3)
        for name in ["svc2004-task2-users01-20", "susig-visual"] {
            guard let real = try Self.researchSignatures(name) else { continue }
            try calls.add(real, users: 20, genuine: 3, forged: 2)
        }
        #expect(calls.pairs >= 200)
        let folder = try TemporaryFolder()
        try calls.file().write(to: URL(fileURLWithPath: folder.path("calls.json")))
        let outcome = try await run("signature_module.py", flags: [folder.path("calls.json"), path])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("\(2 * calls.pairs) calls answered as native, \(calls.pairs) of them"))
        print(outcome.output)
    }

    /// A research set beside the repository; says so when it is not there.
    private static func researchSignatures(_ name: String) throws -> [ResearchCSV.Signature]? {
        let file = Program.repository.appendingPathComponent("../shared/data/signatures/\(name).csv.gz").standardized
        guard FileManager.default.fileExists(atPath: file.path) else {
            print("SKIPPED, NOT TESTED: the research signatures are not at \(file.path)")
            return nil
        }
        return try ResearchCSV.read(Bytes(text: try Program.run("gzip", ["-dc", file.path]).output))
    }
}
