/// A real one-page PDF (ISO 32000-1, version 1.4): text in a standard font, nothing compressed.
///
/// So a byte scan of a data directory would find its text if it were anywhere in clear.
struct DemoTranscript {
    /// The lines of the page, ASCII; the first is the title.
    let lines: [String]

    /// The file's bytes.
    func pdf() -> [UInt8] {
        let content = Array(pageContent().utf8)
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                + "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
            "<< /Length \(content.count) >>\nstream\n" + String(decoding: content, as: UTF8.self) + "\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
        ]
        var file = Array("%PDF-1.4\n".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.count)
            file += Array("\(index + 1) 0 obj\n\(object)\nendobj\n".utf8)
        }
        let table = file.count
        file += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
        for offset in offsets {
            let digits = String(offset)
            file += Array((String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n").utf8)
        }
        file += Array("trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n".utf8)
        return file
    }

    private func pageContent() -> String {
        var operators = ["BT", "/F2 20 Tf", "72 760 Td", "26 TL"]
        for (index, line) in lines.enumerated() {
            if index == 1 { operators += ["/F1 12 Tf", "18 TL"] }
            operators += ["(\(Self.escaped(line))) Tj", "T*"]
        }
        return (operators + ["ET"]).joined(separator: "\n")
    }

    private static func escaped(_ line: String) -> String {
        line.reduce(into: "") { text, character in
            if "()\\".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
