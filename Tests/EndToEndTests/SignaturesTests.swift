import Encodings
import Foundation
import HandSignatures
import Testing

/// `countersign signatures` on movements that nobody made: whether the commands work, not how well signatures are told
/// apart.
@Suite("countersign signatures", .timeLimit(.minutes(5)))
struct SignaturesTests {
    /// A research file: waves of each user's own height and length, which tremble; in forgeries much more.
    static func file(users: Int, seed: UInt64) -> String {
        var state = seed
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        var text = "user,signature,kind,session,index,x,y,t,pressure,azimuth,altitude,penup\n"
        for user in 1...users {
            for (kind, count, tremble) in [("genuine", 7, 20), ("forgery", 3, 200)] {
                for signature in 1...count {
                    for index in 0..<30 {
                        let y = (index * (user + 2) * 40) % (500 * user) + random(tremble)
                        text += "u\(user),\(signature),\(kind),1,\(index),\(index * 50 + random(tremble)),\(y),"
                        text += "\(index * 10),\(200 + random(tremble)),,,\(index % 10 == 9 ? 1 : 0)\n"
                    }
                }
            }
        }
        return text
    }

    private static func run(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.runAside(Program.countersign, ["signatures"] + arguments)
    }

    @Test("a model is learnt, the same each time; it judges others, and users are judged by models that know them not")
    func journey() async throws {
        let folder = try TemporaryFolder()
        let files = [folder.path("one.csv"), folder.path("two.csv")]
        for (number, file) in files.enumerated() {
            try Self.file(users: 3, seed: UInt64(number + 1)).write(toFile: file, atomically: true, encoding: .utf8)
        }
        for name in ["first.json", "again.json"] {
            let trained = try await Self.run(["train"] + files + ["--out", folder.path(name), "--json"])
            #expect(trained.status == 0, "\(trained.output)\(trained.errors)")
            #expect(try ServerMachine.json(trained)["users"] == .integer(6))
        }
        #expect(try folder.text("first.json") == folder.text("again.json"))

        #expect(try Program.run("gzip", ["-k", files[1]]).status == 0)
        let judged = try await Self.run(
            ["evaluate", files[1] + ".gz", "--model", folder.path("first.json"), "--json"])
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
        let json = try ServerMachine.json(judged)
        #expect(json["users"] == .integer(3))
        #expect(json["probes"] == .integer(3 * (2 + 3)))
        for key: StaticString in ["eer_common_skilled", "eer_user_skilled", "eer_common_random"] {
            #expect(try Self.share(json[key]).map((0...1).contains) == true)
        }
        for key: StaticString in ["frr", "far", "hter"] {
            #expect(try Self.share(json["fixed"]?[key]).map((0...1).contains) == true)
        }
        #expect(try Self.share(json["fixed"]?["threshold"]) != nil)

        let crossed = try await Self.run(
            ["evaluate"] + files + ["--cross-validate", "--protocol", "rand5", "--clock-step", "10", "1", "--json"])
        #expect(crossed.status == 0, "\(crossed.output)\(crossed.errors)")
        let items = try #require(try ServerMachine.json(crossed)["items"]?.array)
        #expect(items.compactMap { $0["file"]?.string } == [Bytes(text: "one.csv"), Bytes(text: "two.csv")])
        #expect(items.allSatisfy { $0["probes"] == .integer(10 * 3 * (2 + 3)) })

        let touch = try await Self.run(["evaluate", files[0], "--touch", "--cross-validate"])
        #expect(touch.status == 0 && touch.output.contains("EER, skilled forgeries"), "\(touch.output)\(touch.errors)")
        let wrong = try await Self.run(["evaluate", files[0], "--touch", "--model", folder.path("first.json")])
        #expect(wrong.status == 2 && wrong.errors.contains("for signatures with pens"), "\(wrong.errors)")
    }

    @Test("the method of Biometrix and the program's own models judge, and a page shows the rates")
    func reports() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("a & b.csv")
        try Self.file(users: 3, seed: 3).write(toFile: file, atomically: true, encoding: .utf8)
        let page = folder.path("rates.html")
        let original = try await Self.run(["evaluate", file, "--method", "original", "--report", page, "--json"])
        #expect(original.status == 0, "\(original.output)\(original.errors)")
        #expect(try Self.share(ServerMachine.json(original)["fixed"]?["threshold"]) == 0.2)
        let html = try folder.text("rates.html")
        #expect(html.contains("a &amp; b.csv: 3 users") && html.contains("judged by the method of Biometrix"))
        #expect(html.contains("class=\"curve-1\"") && !html.contains("<script"))
        let again = try await Self.run(["evaluate", file, "--method", "original", "--report", page])
        #expect(again.status == 2 && again.errors.contains("exists already"), "\(again.errors)")
        for flags in [[], ["--touch"]] {
            let own = try await Self.run(["evaluate", file, "--json"] + flags)
            #expect(own.status == 0, "\(own.output)\(own.errors)")
        }
        let both = try await Self.run(["evaluate", file, "--method", "original", "--cross-validate"])
        #expect(both.status != 0 && both.errors.contains("has no models"), "\(both.errors)")
    }

    @Test("one signature is compared with five, and written in other forms")
    func compared() async throws {
        let folder = try TemporaryFolder()
        let signatures = try ResearchCSV.read(Bytes(text: Self.file(users: 2, seed: 5)))
        func write(_ name: String, _ capture: Capture) throws -> String {
            try Data(CaptureJSON.write(capture)).write(to: URL(fileURLWithPath: folder.path(name)))
            return folder.path(name)
        }
        let own = signatures.filter { $0.user == Bytes(text: "u1") && !$0.isForgery }.map(\.capture)
        let other = try #require(signatures.first { $0.user == Bytes(text: "u2") }).capture
        let references = try own.prefix(5).enumerated().map { try write("\($0).json", $1) }
        let same = try await Self.run(["compare", references[0], "--references"] + references)
        #expect(same.status == 0 && same.output.contains("is like the others"), "\(same.output)\(same.errors)")
        let stranger = try await Self.run(
            ["compare", try write("other.json", other), "--json", "--references"] + references)
        #expect(stranger.status == 1, "\(stranger.output)\(stranger.errors)")
        let json = try ServerMachine.json(stranger)
        #expect(json["is_accepted"] == .bool(false))
        let (score, threshold) = (try Self.share(json["score"]), try Self.share(json["threshold"]))
        #expect(try #require(score) > #require(threshold))
        let four = try await Self.run(["compare", references[0], "--references"] + references.dropLast())
        #expect(four.status != 0 && four.errors.contains("give 5 references, not 4"), "\(four.errors)")

        for form in ["xml", "record"] {
            let out = folder.path("0.\(form)")
            let written = try await Self.run(["convert", references[0], "--to", form, "--out", out])
            #expect(written.status == 0 && written.output.contains("30 samples"), "\(written.output)\(written.errors)")
            let back = folder.path("back-\(form).json")
            #expect(try await Self.run(["convert", out, "--to", "json", "--out", back]).status == 0)
            #expect(try folder.text("back-\(form).json") == folder.text("0.json"))
        }
        let finger = try write("finger.json", try own[0].asTouch())
        let mixed = try await Self.run(["compare", finger, "--references"] + references)
        #expect(mixed.status == 2 && mixed.errors.contains("pens and fingers are not compared"), "\(mixed.errors)")
    }

    @Test("files that are damaged, too small or something else are refused in words, and nothing is written over")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let good = folder.path("good.csv")
        try Self.file(users: 2, seed: 9).write(toFile: good, atomically: true, encoding: .utf8)
        #expect(try Program.run("gzip", ["-k", good]).status == 0)
        let packed = try Data(contentsOf: URL(fileURLWithPath: good + ".gz"))
        try packed.prefix(packed.count / 2).write(to: URL(fileURLWithPath: folder.path("cut.csv.gz")))
        try Self.file(users: 1, seed: 9).write(toFile: folder.path("alone.csv"), atomically: true, encoding: .utf8)
        try "user,signature\n1,2\n".write(toFile: folder.path("other.csv"), atomically: true, encoding: .utf8)
        try "{}".write(toFile: folder.path("model.json"), atomically: true, encoding: .utf8)
        for (arguments, words) in [
            (["evaluate", folder.path("cut.csv.gz"), "--cross-validate"], "damaged or cut off"),
            (["evaluate", folder.path("alone.csv"), "--cross-validate"], "one user only"),
            (["evaluate", folder.path("other.csv"), "--cross-validate"], "no research file"),
            (["evaluate", folder.path("missing.csv"), "--cross-validate"], "cannot be read"),
            (["evaluate", good, "--model", folder.path("model.json")], "no model that this version knows"),
            (["train", good, "--out", folder.path("model.json")], "exists already"),
        ] {
            let outcome = try await Self.run(arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        #expect(try folder.text("model.json") == "{}")
        #expect(try await Self.run(["evaluate", good, "--cross-validate", "--model", good]).status != 0)
    }

    private static func share(_ json: JSON?) throws -> Double? {
        guard case .decimal(let text)? = json else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }
}
