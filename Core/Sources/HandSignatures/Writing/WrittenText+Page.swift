public import Encodings

extension WrittenText {
    /// The document as it is shown and signed: one HTML page without scripts, addresses or anything from elsewhere.
    ///
    /// The same text, title and values give the same bytes: these are what a signature is bound to.
    ///
    /// - Parameters:
    ///   - title: UTF-8.
    ///   - logo: the organisation's, for a text that has it at the top.
    ///   - values: what is put in for a field, UTF-8.
    public func page(title: Bytes, logo: Logo? = nil, values: (Field) -> Bytes) -> Bytes {
        var html = Self.head
        html += Self.escaped(title)
        let sheet = layout == nil ? Self.styleSheet : Self.laidOutStyleSheet
        html += Bytes(text: "</title>\n<style>") + sheet + Bytes(text: "</style>\n")
        if layout?.hasHeader == true { html += Self.header(logo, values(.organisation)) + [0x0A] }
        for block in blocks { html += Self.html(block, values) + [0x0A] }
        return html + Bytes(text: "</html>\n")
    }

    static let head = Bytes(text: "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>")

    private static func header(_ logo: Logo?, _ organisation: Bytes) -> Bytes {
        var inner: Bytes = []
        if let logo { inner += Bytes(text: "<img alt=\"\" src=\"") + logo.address + Bytes(text: "\">") }
        return element("header", inner + element("span", escaped(organisation)))
    }

    /// The style element of a page of the first form: a policy names it by its digest.
    ///
    /// Legible on paper and screen; a printed page has margins of its own.
    public static let styleSheet = Bytes(
        text: """

            body{font:16px/1.5 Georgia,serif;color:#111;background:#fff;max-width:42em;margin:2em auto;padding:0 1.5em}
            h1,h2,h3{line-height:1.2}
            table{border-collapse:collapse;width:100%}
            th,td{border:1px solid #999;padding:.3em .6em;text-align:left;vertical-align:top}

            """)

    /// The same for a page of a text with a layout.
    public static let laidOutStyleSheet = Bytes(
        text: """

            body{font:16px/1.5 Georgia,serif;color:#111;background:#fff;max-width:42em;margin:2em auto;padding:0 1.5em}
            h1,h2,h3{line-height:1.2}
            table{border-collapse:collapse;width:100%}
            th,td{border:1px solid #999;padding:.3em .6em;text-align:start;vertical-align:top}
            header{display:flex;align-items:center;gap:1em;margin-bottom:1.5em;padding-bottom:.75em}
            header{border-bottom:1px solid #999;font-weight:bold}
            header img{max-width:12em;max-height:4em}
            .centre{text-align:center}
            .end{text-align:end}
            hr{margin:2em 0;border:0;border-top:1px dashed #999}
            .signature{max-width:20em;margin-top:4em;padding-top:.3em;border-top:1px solid #111}
            @media print{body{max-width:none;margin:0;padding:0}hr{margin:0;border:0;break-after:page}}
            @media print{.signature,tr{break-inside:avoid}}

            """)

    private static func html(_ block: Block, _ values: (Field) -> Bytes) -> Bytes {
        switch block {
        case .heading(let level, let runs, let alignment):
            return element("h\(level)", html(runs, values), alignment)
        case .paragraph(let runs, let alignment): return element("p", html(runs, values), alignment)
        case .pageBreak: return Bytes(text: "<hr>")
        case .signature(let runs): return place + html(runs, values) + Bytes(text: "</p>")
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

    private static func element(_ name: String, _ inner: Bytes, _ alignment: Alignment = .start) -> Bytes {
        let look =
            switch alignment {
            case .start: ""
            case .centre: " class=\"centre\""
            case .end: " class=\"end\""
            }
        return Bytes(text: "<" + name + look + ">") + inner + Bytes(text: "</" + name + ">")
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
