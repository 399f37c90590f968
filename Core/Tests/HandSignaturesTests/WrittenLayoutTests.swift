import Encodings
import Testing

@testable import HandSignatures

/// Texts with a layout: `countersign-text-2`.
@Suite("Written texts with a layout")
struct WrittenLayoutTests {
    private func text(_ blocks: String, _ more: String = "") throws -> WrittenText {
        try WrittenText(Bytes(text: "{\"blocks\":[\(blocks)],\"format\":\"countersign-text-2\"\(more)}"))
    }

    private func page(_ text: WrittenText, logo: WrittenText.Logo? = nil) -> Bytes {
        text.page(title: Bytes(text: "T"), logo: logo) { Bytes(text: "[") + $0.name + Bytes(text: "]") }
    }

    private func words(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("a text of the first form makes the bytes that it made before there were layouts")
    func unchanged() throws {
        let old = #"""
            {"blocks":[{"kind":"heading","level":1,"runs":[{"text":"Consent"}]},{"kind":"paragraph","runs":[\#
            {"text":"I, "},{"bold":true,"field":"given_name"},{"text":" & <co>"}]},\#
            {"items":[[{"text":"one"}]],"kind":"list","ordered":false},\#
            {"kind":"table","rows":[[[{"text":"head"}]],[[{"italic":true,"text":"cell"}]]]}],"format":"countersign-text-1"}
            """#
        let text = try WrittenText(Bytes(text: old))
        #expect(text.layout == nil)
        // Made by the version before.
        let expected = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <title>T</title>
            <style>
            body{font:16px/1.5 Georgia,serif;color:#111;background:#fff;max-width:42em;margin:2em auto;padding:0 1.5em}
            h1,h2,h3{line-height:1.2}
            table{border-collapse:collapse;width:100%}
            th,td{border:1px solid #999;padding:.3em .6em;text-align:left;vertical-align:top}
            </style>
            <h1>Consent</h1>
            <p>I, <b>[given_name]</b> &amp; &lt;co&gt;</p>
            <ul><li>one</li></ul>
            <table><tr><th>head</th></tr><tr><td><i>cell</i></td></tr></table>
            </html>

            """
        let logo = WrittenText.Logo(.png, [1, 2, 3])
        #expect(words(page(text)) == expected && page(text, logo: logo) == page(text))
        #expect(WrittenText.body(placing: [0x78], in: page(text)) == nil)
    }

    @Test("alignment, page breaks and the place of the signature become their elements")
    func elements() throws {
        let text = try text(
            """
            {"kind":"heading","level":1,"runs":[{"text":"A"}],"align":"centre"},
            {"kind":"paragraph","runs":[{"text":"b"}],"align":"end"},
            {"kind":"paragraph","runs":[{"text":"c"}],"align":"start"},{"kind":"page-break"},
            {"kind":"signature","runs":[{"text":"Signature of "},{"field":"given_name"}]}
            """)
        #expect(text.layout?.hasHeader == false && text.fields == [.givenName])
        let html = words(page(text))
        #expect(
            html.contains(
                """
                <h1 class="centre">A</h1>
                <p class="end">b</p>
                <p>c</p>
                <hr>
                <p class="signature">Signature of [given_name]</p>
                """))
        #expect(!html.contains("<header>"))
    }

    @Test("the header has the logo in the page itself, and only where the text says so")
    func header() throws {
        let block = #"{"kind":"paragraph","runs":[{"text":"x"}]}"#
        let logo = WrittenText.Logo(.svg, Bytes(text: "<svg onload=\"x\">"))
        let html = words(page(try text(block, ",\"header\":true"), logo: logo))
        #expect(
            html.contains(
                """
                </style>
                <header><img alt="" src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9IngiPg=="><span>[organisation]</span></header>
                <p>x</p>
                """))
        #expect(
            words(page(try text(block, ",\"header\":true"))).contains("<header><span>[organisation]</span></header>"))
        #expect(!words(page(try text(block, ",\"header\":false"), logo: logo)).contains("<header>"))
    }

    @Test("a field that the organisation has defined is filled in by its id")
    func custom() throws {
        let text = try text(#"{"kind":"paragraph","runs":[{"field":"custom:0a1b"},{"field":"date"}]}"#)
        #expect(text.fields == [.custom(Bytes(text: "0a1b")), .date])
        #expect(words(page(text)).contains("<p>[custom:0a1b][date]</p>"))
    }

    @Test("a signature is put at its place and nowhere else, whatever is written around it")
    func placed() throws {
        let text = try text(
            #"{"kind":"paragraph","runs":[{"text":"<p class=\"signature\"></style>"}]},{"kind":"signature","runs":[]},"#
                + #"{"kind":"paragraph","runs":[{"text":"after"}]}"#)
        let body = try #require(WrittenText.body(placing: Bytes(text: "<x>"), in: page(text)))
        #expect(
            words(body) == """
                <p>&lt;p class=&quot;signature&quot;&gt;&lt;/style&gt;</p>
                <x><p class="signature"></p>
                <p>after</p>

                """)
        // A PDF, and a page that was cut.
        for other in [Bytes(text: "%PDF-1.7"), [], page(text).dropLast(3).map { $0 }] {
            #expect(WrittenText.body(placing: [0x78], in: other) == nil)
        }
    }

    @Test(
        "what is not of the form is refused, with the number of the block",
        arguments: [
            #"{"kind":"page-break","runs":[]}"#, #"{"kind":"page-break","align":"end"}"#, #"{"kind":"signature"}"#,
            #"{"kind":"signature","runs":[],"align":"end"}"#, #"{"kind":"paragraph","runs":[],"align":"left"}"#,
            #"{"kind":"paragraph","runs":[],"align":true}"#, #"{"kind":"paragraph","align":"end"}"#,
            #"{"kind":"list","ordered":true,"items":[[]],"align":"end"}"#,
            #"{"kind":"table","rows":[[[]]],"align":"end"}"#,
            #"{"kind":"paragraph","runs":[{"field":"custom:"}]}"#,
            #"{"kind":"paragraph","runs":[{"field":"custom:A"}]}"#,
            #"{"kind":"paragraph","runs":[{"field":"Custom:a"}]}"#,
            #"{"kind":"paragraph","runs":[{"field":"custom:<b>"}]}"#,
            #"{"kind":"pagebreak"}"#, #"{"kind":"signature","runs":[{"text":"a","href":"x"}]}"#,
        ])
    func refused(_ block: String) {
        #expect(throws: WrittenText.FormError.malformed(block: 1)) {
            try text(#"{"kind":"paragraph","runs":[]},"# + block)
        }
    }

    @Test("a text has one place of the signature; what is around the blocks is checked too")
    func around() throws {
        let place = #"{"kind":"signature","runs":[]}"#
        #expect(throws: WrittenText.FormError.secondSignature(block: 2)) {
            try text(place + #",{"kind":"page-break"},"# + place)
        }
        for more in [",\"header\":1", ",\"header\":true,\"footer\":true", ",\"footer\":true"] {
            #expect(throws: WrittenText.FormError.malformed(block: -1)) { try text(place, more) }
        }
        #expect(throws: WrittenText.FormError.malformed(block: -1)) {
            try WrittenText(Bytes(text: #"{"blocks":[],"format":"countersign-text-1","header":true}"#))
        }
        #expect(throws: WrittenText.FormError.malformed(block: -1)) {
            try WrittenText(Bytes(text: #"{"blocks":[],"format":"countersign-text-3"}"#))
        }
    }
}
