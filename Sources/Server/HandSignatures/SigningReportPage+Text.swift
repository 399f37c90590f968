import Encodings
import HandSignatures

extension SigningReportPage {
    /// The text with the signature at the place that it has for it.
    ///
    /// Nothing for a PDF, and for a text without a place: reports of such transactions are what they always were.
    var signedText: String {
        let ink = Bytes(text: "<figure class=\"paper\">\(drawing(report["drawing"]))</figure>")
        guard let body = WrittenText.body(placing: ink, in: document) else { return "" }
        let text = "<div class=\"document\" dir=\"auto\">\n\(String(decoding: body, as: UTF8.self))</div>"
        return "\n" + section(words(.signedTextTitle), text)
    }

    static let textStyle = """

        .document { padding: 1.5rem; background: #fff; color: #111; border: 1px solid var(--line); font-family: Georgia, serif }
        .document th { width: auto; color: inherit } .document :is(th, td) { border: 1px solid #999; padding: .3em .6em }
        .document .centre { text-align: center } .document .end { text-align: end }
        .document .paper { margin: 3rem 0 0 } .document .paper svg { display: block; max-width: 20rem; border: 0 }
        .document .signature { max-width: 20em; margin-top: 0; padding-top: .3em; border-top: 1px solid }
        .document hr { border: 0; border-top: 1px dashed #999; margin: 2em 0 }
        .document header { display: flex; align-items: center; gap: 1em; font-weight: bold; border-bottom: 1px solid #999;
          padding-bottom: .75em; margin-bottom: 1.5em }
        .document header img { max-width: 12em; max-height: 4em }
        @media print { section:has(> .document) { break-inside: auto } .document { border: 0; padding: 0 }
          .document hr { border: 0; margin: 0; break-after: page } }
        """
}
