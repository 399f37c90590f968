public import Encodings

extension WrittenText {
    /// The document as it is shown and signed: one HTML page without scripts, addresses or anything from elsewhere.
    ///
    /// The same text, title and values give the same bytes: these are what a signature is bound to.
    ///
    /// - Parameters:
    ///   - title: UTF-8.
    ///   - values: what is put in for a field, UTF-8.
    public func page(title: Bytes, values: (Field) -> Bytes) -> Bytes {
        var html = Bytes(text: "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>")
        html += Self.escaped(title)
        html += Bytes(text: "</title>\n<style>") + Self.styleSheet + Bytes(text: "</style>\n")
        for block in blocks { html += Self.html(block, values) + [0x0A] }
        return html + Bytes(text: "</html>\n")
    }

    /// What stands in the style element of every page: a policy names it by its digest.
    ///
    /// Legible on paper and screen; a printed page has margins of its own.
    public static let styleSheet = Bytes(
        text: """

            body{font:16px/1.5 Georgia,serif;color:#111;background:#fff;max-width:42em;margin:2em auto;padding:0 1.5em}
            h1,h2,h3{line-height:1.2}
            table{border-collapse:collapse;width:100%}
            th,td{border:1px solid #999;padding:.3em .6em;text-align:left;vertical-align:top}

            """)

    private static func html(_ block: Block, _ values: (Field) -> Bytes) -> Bytes {
        switch block {
        case .heading(let level, let runs): return element("h\(level)", html(runs, values))
        case .paragraph(let runs): return element("p", html(runs, values))
        case .list(let isOrdered, let items):
            var inner: Bytes = []
            for item in items { inner += element("li", html(item, values)) }
            return element(isOrdered ? "ol" : "ul", inner)
        case .table(let rows):
            var inner: Bytes = []
            for (number, row) in rows.enumerated() {
                var cells: Bytes = []
                for cell in row { cells += element(number == 0 ? "th" : "td", html(cell, values)) }
                inner += element("tr", cells)
            }
            return element("table", inner)
        }
    }

    private static func html(_ runs: [Run], _ values: (Field) -> Bytes) -> Bytes {
        var html: Bytes = []
        for run in runs {
            var inner: Bytes
            switch run.content {
            case .text(let text): inner = escaped(text)
            case .field(let field): inner = escaped(values(field))
            }
            if run.isItalic { inner = element("i", inner) }
            if run.isBold { inner = element("b", inner) }
            html += inner
        }
        return html
    }

    private static func element(_ name: String, _ inner: Bytes) -> Bytes {
        Bytes(text: "<" + name + ">") + inner + Bytes(text: "</" + name + ">")
    }

    /// Text with what HTML would take for markup replaced, and line ends as breaks.
    private static func escaped(_ text: Bytes) -> Bytes {
        var escaped: Bytes = []
        escaped.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case 0x0A: escaped += Bytes(text: "<br>")
            case 0x22: escaped += Bytes(text: "&quot;")
            case 0x26: escaped += Bytes(text: "&amp;")
            case 0x3C: escaped += Bytes(text: "&lt;")
            case 0x3E: escaped += Bytes(text: "&gt;")
            default: escaped.append(byte)
            }
        }
        return escaped
    }
}
