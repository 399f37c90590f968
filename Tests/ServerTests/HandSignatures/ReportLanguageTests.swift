import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import HandSignatures
import HummingbirdTesting
import Interface
import Testing

@testable import Server

extension DeskTests {
    /// The report of a transaction for people, in their language.
    @Suite("The language of reports")
    struct ReportLanguageTests {
        private func withSigning(
            _ body: @escaping @Sendable (_ path: String, Desk) async throws -> Void
        ) async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let signing = try await desk.sign(
                    try await desk.addDocument(), person, try Desk.texts(hand, 30..<31)[0]
                ).decode(Signing.self)
                _ = try await client.send(
                    .post, "/api/signings/\(signing.id)/confirm", token: desk.operatorSession.token
                ).decode(Signing.self)
                try await body("/api/signings/\(signing.id)/report", desk)
            }
        }

        @Test("it is the one that is asked for, else that of pages; each has a signature of its own")
        func chosen() async throws {
            try await withSigning { path, desk in
                func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
                    var headers = headers
                    headers[.authorization] = "Bearer \(desk.owner.token)"
                    return try await desk.client.client.execute(uri: path, method: .get, headers: headers)
                }
                for (code, direction, title) in [
                    ("en", "ltr", "Who signed what"), ("de", "ltr", "Wer was unterschrieben hat"),
                    ("ar", "rtl", "من وقّع وماذا وقّع"),
                ] {
                    let page = try await get("\(path).html?language=\(code)", [.acceptLanguage: "fr"])
                    #expect(page.text.contains("<html lang=\"\(code)\" dir=\"\(direction)\">"))
                    #expect(page.text.contains("<h2>\(title)</h2>") && page.text.contains("Ada Lovelace"))
                    #expect(page.headers[.contentLanguage] == code && page.headers[.vary] == "Accept-Language, Cookie")
                    let jws = try await get("\(path).html.jws?language=\(code)").text
                    let payload = try UnverifiedJWS.parse(Bytes(text: jws)).payload
                    #expect(payload["sha256"] == .text(SHA256.hash(Bytes(text: page.text)).base64URL))
                    for headers in [[.acceptLanguage: code], [.cookie: "language=\(code)"]] as [HTTPFields] {
                        #expect(try await get("\(path).html", headers).text == page.text)
                        let other = try await get("\(path).html.jws", headers).text
                        #expect(try UnverifiedJWS.parse(Bytes(text: other)).payload["sha256"] == payload["sha256"])
                    }
                }
                for end in [".html", ".html.jws"] {
                    let unknown = try await get("\(path)\(end)?language=fr")
                    #expect(unknown.status == .badRequest && unknown.text.contains("one of en, ar, de"))
                }
            }
        }

        @Test("no text of ours is left in English: from words about the decision to those in the pictures")
        func whole() async throws {
            try await withSigning { path, desk in
                let file = try await desk.client.send(.get, path, token: desk.owner.token).body
                let report = try #require(try JSON.parse(file, maximumLength: 1 << 24)["report"]?.members)
                // Words of people and devices are not translated: here they have no Latin letters.
                let facts: [(String, JSON)] = [
                    ("identified", .bool(true)), ("reason", .text("nobody decided in time")), ("method", .text("7")),
                    ("field", .text("7")), ("device", .text("7")), ("transaction", .text("7")),
                    (
                        "enrolment",
                        .members([
                            ("log_index", .integer(7)), ("time", .integer(7)), ("act", .text("7")),
                            ("paper", .text("Passport")),
                        ])
                    ),
                    (
                        "place",
                        .members([
                            ("accuracy_metres", .integer(7)), ("latitude_millionths", .integer(7)),
                            ("longitude_millionths", .integer(7)),
                        ])
                    ),
                    ("client", .members([("given_name", .text("7")), ("family_name", .text("7"))])),
                    ("document", .members([("name", .text("7")), ("version", .integer(7))])), ("operator", .null),
                ]
                let record = try #require(report.first { $0.name == Bytes(text: "record") }?.value.members)
                for decision in ["confirmed", "refused"] {
                    let given = facts + [("decision", .text(decision))]
                    let names = Set(given.map { Bytes(text: $0.0) })
                    let blank = JSON.object(
                        record.filter { !names.contains($0.name) } + given.map { JSON.Member($0.0, $0.1) })
                    let members = [("organisation", .text("7")), ("photograph", .text("7777")), ("record", blank)]
                    let all = JSON.object(
                        report.filter { member in !members.contains { Bytes(text: $0.0) == member.name } }
                            + members.map { JSON.Member($0.0, $0.1) })
                    let written =
                        #"{"blocks":[{"kind":"signature","runs":[{"text":"7"}]}],"format":"countersign-text-2"}"#
                    let placed = try WrittenText(Bytes(text: written)).page(title: Bytes(text: "7")) { _ in [] }
                    let html = try SigningReportPage(all, document: placed, in: Self.marked()).html()
                    #expect(Self.left(html) == [], "\(decision)")
                    #expect(html.contains("⟦"))
                }
            }
        }

        /// A catalogue in which no text has a letter, but all tags and values.
        private static func marked() throws -> WordCatalogue {
            let texts = (SigningReportWords.keys + ["Passport"]).map { key in
                let kept = key.matches(of: /<[^>]*>|\{\d\}/).map { String($0.output) }
                return (key, "⟦\(kept.joined())⟧")
            }
            let data = try JSONSerialization.data(withJSONObject: Dictionary(texts) { $1 })
            return try #require(WordCatalogue(code: "xx", files: [data]))
        }

        /// Words with Latin letters in the text that people read, except names of files, commands and standards.
        private static func left(_ html: String) -> [String] {
            let text = ["style", "pre", "code"].reduce(html) { text, tag in
                text.components(separatedBy: "<\(tag)").enumerated().map { number, part in
                    number == 0 ? part : String(part[(part.range(of: "</\(tag)>")?.upperBound ?? part.startIndex)...])
                }.joined()
            }
            let spoken = text.matches(of: /(?:alt|title|aria-label)="([^"]*)"/).map { String($0.1) }
            let words = text.replacing(/<[^>]*>/, with: " ") + " " + spoken.joined(separator: " ")
            return words.replacing(/[a-z0-9-]+\.csv\.gz/, with: "").matches(of: /[A-Za-z]{2,}/).map {
                String($0.output)
            }
            .filter { $0 != "UTC" }
        }
    }
}
