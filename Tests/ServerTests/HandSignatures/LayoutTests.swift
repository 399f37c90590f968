import CryptoProvider
import Encodings
import Foundation
import Fuzzing
import HTTPTypes
import Interface
import Testing

@testable import Server

extension DeskTests {
    /// Texts with a layout: logo and name, alignment, page breaks, the place of the signature.
    @Suite("Texts with a layout")
    struct LayoutTests {
        private static let text = #"""
            {"blocks":[{"align":"centre","kind":"heading","level":1,"runs":[{"text":"Consent"}]},\#
            {"kind":"page-break"},{"kind":"signature","runs":[{"text":"Signature of "},{"field":"family_name"}]},\#
            {"align":"end","kind":"paragraph","runs":[{"text":"after"}]}],"format":"countersign-text-2","header":true}
            """#
        private static let logo = Bytes(text: "<svg viewBox='0 0 4 2'><circle r='1'/></svg>")

        private func add(_ text: String, _ desk: Desk) async throws -> TestClient.Answer {
            try await desk.client.send(
                .post, "/api/workspace", WorkspaceContent(name: "Consent", text: text),
                token: desk.operatorSession.token)
        }

        private func page(_ rendering: Rendering) throws -> String {
            String(decoding: try #require(Base64.decode(Bytes(text: rendering.content), .url)), as: UTF8.self)
        }

        private func text(_ answer: TestClient.Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

        @Test("what is signed has logo, name and place; a report shows the signature there, after the logo changed too")
        func signed() async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await add(Self.text, desk).decode(WorkspaceDocument.self)
                #expect(document.text == Self.text)
                let without = try page(try await desk.rendering(document, person))
                #expect(without.contains("<header><span>") && !without.contains("<img"))
                let face = try await client.send(
                    .put, "/api/organisation/face", FaceChange(logo: Self.logo.base64URL), token: desk.owner.token
                ).decode(OrganisationFace.self)
                #expect(face.logo != nil)
                let html = try page(try await desk.rendering(document, person))
                #expect(html.contains("<header><img alt=\"\" src=\"data:image/svg+xml;base64,"))
                #expect(
                    html.contains(
                        "<h1 class=\"centre\">Consent</h1>\n<hr>\n<p class=\"signature\">Signature of Lovelace</p>"))
                let capture = try Desk.texts(hand, 30..<31)[0]
                let signing = try await desk.sign(document, person, capture).decode(Signing.self)
                _ = try await client.send(
                    .post, "/api/signings/\(signing.id)/confirm", token: desk.operatorSession.token
                ).decode(Signing.self)
                _ = try await client.send(.put, "/api/organisation/face", FaceChange(), token: desk.owner.token)
                let path = "/api/signings/\(signing.id)"
                let kept = try await client.send(.get, path + "/document", token: desk.owner.token).body
                #expect(String(decoding: kept, as: UTF8.self) == html)
                #expect(SHA256.hash(kept).base64URL == signing.digest)
                let report = text(try await client.send(.get, path + "/report.html", token: desk.owner.token))
                #expect(report.contains("What was signed, with the signature"))
                let place = try #require(report.range(of: "<p class=\"signature\">Signature of Lovelace</p>"))
                #expect(report[..<place.lowerBound].hasSuffix("</svg></figure>"))
                #expect(report.contains("src=\"data:image/svg+xml;base64,"))
                let old = try await desk.sign(
                    try await desk.addDocument(), person, try Desk.texts(hand, 31..<32)[0]
                ).decode(Signing.self)
                _ = try await client.send(
                    .post, "/api/signings/\(old.id)/confirm", token: desk.operatorSession.token
                ).decode(Signing.self)
                let plain = text(
                    try await client.send(.get, "/api/signings/\(old.id)/report.html", token: desk.owner.token))
                #expect(plain.contains("</html>") && !plain.contains("What was signed"))
                #expect(!plain.contains(".document"))
            }
        }

        @Test("a change of the logo between reading and signing is seen: other bytes are not signed")
        func changed() async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let hand = SyntheticHand(seed: 1)
                let person = try await desk.register(hand).decode(ClientAct.self).client
                let document = try await add(Self.text, desk).decode(WorkspaceDocument.self)
                let read = try await desk.rendering(document, person)
                _ = try await client.send(
                    .put, "/api/organisation/face", FaceChange(logo: Self.logo.base64URL), token: desk.owner.token)
                let capture = try Desk.texts(hand, 30..<31)[0]
                let answer = try await desk.sign(document, person, capture) { request in
                    (request.digest, request.ticket) = (read.digest, read.ticket)
                }
                #expect(answer.status == 409)
            }
        }

        @Test("a block that nobody knows, or another place of the signature, is refused by its number")
        func refused() async throws {
            try await TestOrganisation().serve { client in
                let desk = try await Desk(client)
                let place = #"{"kind":"signature","runs":[]}"#
                for (blocks, words) in [
                    (place + "," + place, "block 2 is another place of the signature"),
                    (place + #",{"kind":"page-break","runs":[]}"#, "block 2 is not of the form"),
                    (#"{"kind":"picture","runs":[]}"#, "block 1 is not of the form"),
                    (#"{"align":"justify","kind":"paragraph","runs":[]}"#, "block 1 is not of the form"),
                ] {
                    let answer = try await add("{\"blocks\":[\(blocks)],\"format\":\"countersign-text-2\"}", desk)
                    #expect(answer.status == 422 && text(answer).contains(words), "\(text(answer))")
                }
                let first = try await add("{\"blocks\":[\(place)],\"format\":\"countersign-text-1\"}", desk)
                #expect(text(first).contains("block 1 is not of the form"))
            }
        }
    }
}
