import Encodings
import Testing

@testable import HandSignatures

/// Texts that are signed by hand.
@Suite("Written texts")
struct WrittenTextTests {
    private func text(_ blocks: String) throws -> WrittenText {
        try WrittenText(Bytes(text: "{\"blocks\":[\(blocks)],\"format\":\"countersign-text-1\"}"))
    }

    private func page(_ text: WrittenText) -> String {
        String(
            decoding: text.page(title: Bytes(text: "A <b>")) { Bytes(text: "[") + $0.name + Bytes(text: "]") },
            as: UTF8.self)
    }

    @Test("every kind of block becomes its element, fields are filled in, nothing that is typed becomes markup")
    func kinds() throws {
        let text = try text(
            """
            {"kind":"heading","level":2,"runs":[{"text":"One & <two>"}]},
            {"kind":"paragraph","runs":[{"text":"a\\nb","italic":true,"bold":true},{"field":"family_name"}]},
            {"kind":"list","ordered":true,"items":[[{"text":"x"}],[]]},
            {"kind":"table","rows":[[[{"text":"h"}],[]],[[],[{"text":"\\"c\\""}]]]}
            """)
        #expect(text.fields == [.familyName])
        let html = page(text)
        #expect(html.contains("<title>A &lt;b&gt;</title>"))
        #expect(html.contains("<h2>One &amp; &lt;two&gt;</h2>\n<p><b><i>a<br>b</i></b>[family_name]</p>"))
        #expect(html.contains("<ol><li>x</li><li></li></ol>"))
        #expect(
            html.contains("<table><tr><th>h</th><th></th></tr><tr><td></td><td>&quot;c&quot;</td></tr></table>"))
    }

    @Test(
        "what is not of the form is refused, with the number of the block",
        arguments: [
            #"{"kind":"heading","level":4,"runs":[]}"#, #"{"kind":"heading","runs":[]}"#, #"{"kind":"image"}"#,
            #"{"kind":"paragraph","runs":[{"text":"a","field":"date"}]}"#, #"{"kind":"paragraph","runs":[{}]}"#,
            #"{"kind":"paragraph","runs":[{"text":"a","href":"x"}]}"#, #"{"kind":"paragraph","runs":[],"style":""}"#,
            #"{"kind":"paragraph","runs":[{"field":"password"}]}"#, #"{"kind":"paragraph","runs":[{"text":"\u0000"}]}"#,
            #"{"kind":"list","ordered":1,"items":[[]]}"#, #"{"kind":"list","ordered":true,"items":[]}"#,
            #"{"kind":"table","rows":[[[]],[[],[]]]}"#, #"{"kind":"table","rows":[[]]}"#, "7",
            #"{"kind":"paragraph","runs":[{"text":"a","bold":"yes"}]}"#,
            // These are of the second form.
            #"{"kind":"page-break"}"#, #"{"kind":"signature","runs":[]}"#,
            #"{"kind":"paragraph","runs":[],"align":"centre"}"#,
            #"{"kind":"paragraph","runs":[{"field":"custom:ab"}]}"#,
        ])
    func refused(_ block: String) {
        #expect(throws: WrittenText.FormError.malformed(block: 1)) {
            try text(#"{"kind":"paragraph","runs":[]},"# + block)
        }
    }

    @Test("limits")
    func limits() throws {
        let block = #"{"kind":"paragraph","runs":[]}"#
        let most = [String](repeating: block, count: WrittenText.mostBlocks).joined(separator: ",")
        #expect(try text(most).blocks.count == WrittenText.mostBlocks)
        #expect(throws: WrittenText.FormError.tooLong) { try text(most + "," + block) }
        let long = String(repeating: "a", count: WrittenText.maximumBytes)
        #expect(throws: WrittenText.FormError.tooLong) {
            try text("{\"kind\":\"paragraph\",\"runs\":[{\"text\":\"\(long)\"}]}")
        }
        #expect(throws: WrittenText.FormError.malformed(block: -1)) { try WrittenText(Bytes(text: "[]")) }
    }
}
