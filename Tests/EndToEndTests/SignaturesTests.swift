import CryptoProvider
import Encodings
import Foundation
import HandSignatures
import Testing
import Verification

@testable import countersign

/// `countersign signatures` on movements that nobody made: whether the commands work, not how well signatures are told
/// apart.
@Suite("countersign signatures", .timeLimit(.minutes(15)))
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

        // A set that is left out is judged at a threshold of the other one: the one that 'train' gives it.
        let left = try await Self.run(["evaluate"] + files + ["--leave-sets-out", "--json"])
        #expect(left.status == 0, "\(left.output)\(left.errors)")
        let apart = try #require(try ServerMachine.json(left)["items"]?.array)
        for (number, other) in [(0, 1), (1, 0)] {
            let trained = try await Self.run(["train", files[other], "--out", folder.path("\(other).json"), "--json"])
            let threshold = try ServerMachine.json(trained)["threshold"]
            #expect(threshold != nil && apart[number]["fixed"]?["threshold"] == threshold)
        }
        for bad in [[files[0], "--leave-sets-out"], files + ["--leave-sets-out", "--cross-validate"]] {
            #expect(try await Self.run(["evaluate"] + bad).status != 0)
        }

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
        // A model that has learnt from this device, and a signature from one that is twice as fast.
        let (set, model) = (folder.path("set.csv"), folder.path("model.json"))
        try Self.file(users: 2, seed: 5).write(toFile: set, atomically: true, encoding: .utf8)
        #expect(try await Self.run(["train", set, "--out", model]).status == 0)
        var quick = other
        for index in quick.samples.indices { quick.samples[index].time /= 2 }
        for (probe, fit, words) in [
            (references[0], "alike", "devices like this one (pen, 100 samples a second, with pressure)"),
            (
                try write("quick.json", quick), "other",
                "not learnt from a device like this one (pen, 200 samples a second"
            ),
        ] {
            let told = try await Self.run(["compare", probe, "--model", model, "--references"] + references)
            #expect(told.output.contains(words), "\(told.output)\(told.errors)")
            let program = try await Self.run(
                ["compare", probe, "--model", model, "--json", "--references"] + references)
            #expect(try ServerMachine.json(program)["device"]?["fit"] == .text(fit), "\(program.output)")
        }
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
        let picture = folder.path("0.svg")
        #expect(try await Self.run(["convert", references[0], "--to", "svg", "--out", picture]).status == 0)
        let drawn = try folder.text("0.svg")
        #expect(drawn.hasPrefix("<svg fill=\"none\" stroke=\"#14212b\""), "\(drawn.prefix(200))")
        let known = try await Self.run(["convert", picture, "--to", "json", "--out", folder.path("no.json")])
        #expect(known.status == 2, "a picture holds no movement")
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
            (["evaluate", folder.path("other.csv"), "--cross-validate"], "not a research file"),
            (["evaluate", folder.path("missing.csv"), "--cross-validate"], "cannot be read"),
            (["evaluate", good, "--model", folder.path("model.json")], "not a model that this version knows"),
            (["train", good, "--out", folder.path("model.json")], "exists already"),
        ] {
            let outcome = try await Self.run(arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        #expect(try folder.text("model.json") == "{}")
        #expect(try await Self.run(["evaluate", good, "--cross-validate", "--model", good]).status != 0)
    }

    /// The signatures of a research file as an organisation keeps its own: a capture in each file.
    private static func write(_ csv: String, to folder: String, isTouch: Bool = false) throws {
        for one in try ResearchCSV.read(Bytes(text: csv)) {
            let user = String(decoding: one.user, as: UTF8.self)
            let kind = "\(folder)/\(user)/\(one.isForgery ? "forgery" : "genuine")"
            try FileManager.default.createDirectory(atPath: kind, withIntermediateDirectories: true)
            let capture = try isTouch ? one.capture.asTouch() : one.capture
            try Data(CaptureJSON.write(capture)).write(to: URL(fileURLWithPath: "\(kind)/\(one.number).json"))
        }
    }

    @Test("a folder of captures teaches and measures as the research file with the same signatures does")
    func folders() async throws {
        let folder = try TemporaryFolder()
        let csv = Self.file(users: 3, seed: 11)
        let (file, own, fingers) = (folder.path("set.csv"), folder.path("own/set.csv"), folder.path("fingers/set.csv"))
        try csv.write(toFile: file, atomically: true, encoding: .utf8)
        try Self.write(csv, to: own)
        try Self.write(csv, to: fingers, isTouch: true)
        // Files that a file manager leaves behind are not signatures.
        for place in ["/.DS_Store", "/u1/.hidden", "/u1/genuine/.1.json.swp"] {
            try "x".write(toFile: own + place, atomically: true, encoding: .utf8)
        }
        for (name, arguments) in [
            ("file", [file]), ("own", [own + "/"]), ("file-touch", [file, "--touch"]), ("own-touch", [own, "--touch"]),
            ("fingers", [fingers]), ("fingers-touch", [fingers, "--touch"]),
        ] {
            let out = folder.path("\(name).json")
            let trained = try await Self.run(["train"] + arguments + ["--out", out, "--json"])
            #expect(trained.status == 0, "\(name): \(trained.output)\(trained.errors)")
        }
        #expect(try folder.text("own.json") == folder.text("file.json"))
        #expect(try folder.text("file.json") != folder.text("file-touch.json"))
        for name in ["own-touch", "fingers", "fingers-touch"] {
            // The same model, which says what it has learnt from: fingers, or pens that were taken for such.
            let (written, tool) = (try folder.text("\(name).json"), name == "own-touch" ? "pen" : "touch")
            #expect(written.contains(#""tool":"\#(tool)","interval"#), "\(name)")
            let same = written.replacing(#""tool":"touch","interval"#, with: #""tool":"pen","interval"#)
            #expect(try same == folder.text("file-touch.json"), "\(name)")
        }
        let measured = try await Self.run(["evaluate", own, "--cross-validate", "--json"])
        #expect(measured.status == 0, "\(measured.errors)")
        let same = try await Self.run(["evaluate", file, "--cross-validate", "--json"])
        #expect(same.output == measured.output)
        let judged = try await Self.run(["evaluate", fingers, "--model", folder.path("fingers.json"), "--json"])
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
        let other = try await Self.run(["evaluate", fingers, "--model", folder.path("own.json")])
        #expect(other.status == 2 && other.errors.contains("for signatures with pens"), "\(other.errors)")
        let both = try await Self.run(["evaluate", file, fingers, "--cross-validate"])
        #expect(both.status == 2 && both.errors.contains("name them apart, or give --touch"), "\(both.errors)")
    }

    @Test("a folder that is not as it must be is refused, with the name of what is wrong")
    func wrongFolders() async throws {
        let files = FileManager.default
        try await Self.refuse("empty has no captures") { folder in
            for user in ["u1", "u2"] { try files.removeItem(atPath: "\(folder)/\(user)") }
        }
        try await Self.refuse("one user only") { try files.removeItem(atPath: "\($0)/u2") }
        try await Self.refuse("user u2 has too few signatures (genuine: 7, forged: 0)") {
            try files.removeItem(atPath: "\($0)/u2/forgery")
        }
        try await Self.refuse("user u1 has too few signatures (genuine: 5, forged: 3)") { folder in
            for name in ["6", "7"] { try files.removeItem(atPath: "\(folder)/u1/genuine/\(name).json") }
        }
        let finger = try ResearchCSV.read(Bytes(text: Self.file(users: 1, seed: 13)))[0].capture.asTouch()
        try await Self.refuse("u2/forgery/2.json counts as written with fingers") {
            try Data(CaptureJSON.write(finger)).write(to: URL(fileURLWithPath: "\($0)/u2/forgery/2.json"))
        }
        try await Self.refuse("u1/genuine/3.json is not a capture") {
            try "{}".write(toFile: "\($0)/u1/genuine/3.json", atomically: true, encoding: .utf8)
        }
        try await Self.refuse("read.me does not belong there") {
            try "x".write(toFile: "\($0)/read.me", atomically: true, encoding: .utf8)
        }
        try await Self.refuse("u1/forgeries does not belong there") {
            try files.moveItem(atPath: "\($0)/u1/forgery", toPath: "\($0)/u1/forgeries")
        }
        try await Self.refuse("u1/genuine/more does not belong there") {
            try files.createDirectory(atPath: "\($0)/u1/genuine/more", withIntermediateDirectories: true)
        }
        try await Self.refuse("u1/genuine/0.json is a symbolic link") {
            try files.createSymbolicLink(atPath: "\($0)/u1/genuine/0.json", withDestinationPath: "1.json")
        }
        // A name that would clear the reader's screen.
        try await Self.refuse("u1/genuine/\u{FFFD}[2J.json is not a capture") {
            try "x".write(toFile: "\($0)/u1/genuine/\u{1B}[2J.json", atomically: false, encoding: .utf8)
        }
    }

    /// Spoils a good folder, and expects that training says so and writes nothing.
    private static func refuse(_ words: String, _ spoil: (String) throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let (recordings, model) = (folder.path("empty"), folder.path("model.json"))
        try write(file(users: 2, seed: 13), to: recordings)
        try spoil(recordings)
        let outcome = try await run(["train", recordings, "--out", model])
        #expect(outcome.status == 2 && outcome.errors.contains(words), "\(words): \(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: model))
    }

    /// An organisation with a page that it signed, in a folder.
    private struct SignedPageCase {
        let folder: TemporaryFolder
        let page = Bytes(text: "<!doctype html>\n<html lang=\"en\">\n<p>Confirmed</p>\n</html>\n")
        let now = Int64(Date().timeIntervalSince1970)
        let key: SigningKey
        let certificate, other: Bytes

        init() throws {
            folder = try TemporaryFolder()
            let rootKey = try SigningKey()
            key = try SigningKey()
            var random = SystemRandomNumberGenerator()
            let anchor = try CertificateIssuer.root(
                organisation: "Page University", publicURL: "https://sign.example.edu", key: rootKey,
                notBefore: now - 3_600, random: &random)
            let authority = try IssuingAuthority(key: rootKey, certificate: anchor)
            certificate = try CertificateIssuer.deskSigner(
                key: key.publicKey, issuer: authority, notBefore: now - 3_600, random: &random)
            other = try CertificateIssuer.statusSigner(
                key: key.publicKey, issuer: authority, notBefore: now - 3_600, random: &random)
            let pem = Data(anchor).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            try write("root.pem", Bytes(text: "-----BEGIN CERTIFICATE-----\n\(pem)\n-----END CERTIFICATE-----\n"))
            try write("report.html", page)
        }

        func write(_ name: String, _ bytes: Bytes) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        }

        func sign(
            _ type: String = "\(SigningReport.pageType)", with signer: SigningKey? = nil,
            as certificate: Bytes? = nil, at time: Int64? = nil, mediaType: String? = "text/html"
        ) throws -> Bytes {
            var payload: [(String, JSON)] = [
                ("iat", .integer(time ?? now)), ("sha256", .string(Base64.encode(SHA256.hash(page), .url))),
            ]
            if let mediaType { payload.append(("media_type", .text(mediaType))) }
            let chain = JSON.array([.string(Base64.encode(certificate ?? self.certificate, .standard))])
            return Bytes(
                text: try (signer ?? key).signJWS(
                    type: type, header: [JSON.Member("x5c", chain)], payload: .members(payload)))
        }

        func verify(_ name: String = "report.html", _ more: [String]? = nil) async throws -> Program.Outcome {
            try await SignaturesTests.run(
                ["verify", folder.path(name), "--trust", folder.path("root.pem")]
                    + (more ?? ["--signature", folder.path("report.html.jws")]))
        }
    }

    @Test("a report's page holds with its own signature; changed at its start, in the middle or at its end it does not")
    func page() async throws {
        let one = try SignedPageCase()
        try one.write("report.html.jws", try one.sign() + [0x0A])
        let held = try await one.verify()
        #expect(held.status == 0 && held.output.contains("Page University"), "\(held.output)\(held.errors)")
        #expect(held.output.contains("not checked: that the log has the decision"))
        let jws = ["--signature", one.folder.path("report.html.jws")]
        let json = try ServerMachine.json(try await one.verify("report.html", jws + ["--json"]))
        #expect(json["verdict"] == .text("valid") && json["made"] == .integer(one.now))
        for place in [0, one.page.count / 2, one.page.count - 1] {
            var changed = one.page
            changed[place] ^= 0x01
            try one.write("changed.html", changed)
            let refused = try await one.verify("changed.html")
            #expect(refused.status == 1 && refused.errors.contains("it was changed"), "\(place): \(refused.errors)")
        }
        let bare = try await one.verify("report.html", [])
        #expect(bare.status == 2 && bare.errors.contains("give its detached signature"), "\(bare.errors)")
        try one.write("report.json", Bytes(text: "{}"))
        let mistaken = try await one.verify("report.json")
        #expect(mistaken.status == 2 && mistaken.errors.contains("is not a page"), "\(mistaken.errors)")
        let logged = try await one.verify("report.html", jws + ["--document", one.folder.path("report.html")])
        #expect(logged.status == 2 && logged.errors.contains("are for report.json"), "\(logged.errors)")
    }

    @Test("a page is refused with another signature: of the JSON, by another key, for something else, of tomorrow")
    func otherSignatures() async throws {
        let one = try SignedPageCase()
        let stranger = try SignedPageCase()
        for (signature, words) in [
            (try one.sign("countersign-signing-report+jwt", mediaType: nil), "for something else (wrongPurpose)"),
            (try one.sign(with: SigningKey()), "not by the certified key"),
            (try one.sign(as: one.other), "has certified for hand signatures"),
            (try stranger.sign(), "has certified for hand signatures"),
            (try one.sign(at: one.now + 1_800), "later than now"),
            (try one.sign(mediaType: "application/json"), "not a detached signature of a page"),
            (Bytes(text: "not.a.signature"), "not a detached signature of a page"),
        ] {
            try one.write("report.html.jws", signature)
            let refused = try await one.verify()
            #expect(refused.status == 1 && refused.errors.contains(words), "\(words): \(refused.errors)")
        }
    }

    private static func share(_ json: JSON?) throws -> Double? {
        guard case .decimal(let text)? = json else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }
}
