import Encodings
import HandSignatures
import Server
import Wallet

/// A page with the figures of an evaluation: one file that loads nothing and runs nothing.
struct EvaluationPage {
    /// How references were chosen.
    let `protocol`: String
    /// By what users were judged.
    let judge: String
    let isTouch: Bool

    /// The page.
    func html(_ sets: [EvaluatedSet]) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Hand signatures: error rates · Countersign</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <h1>Hand signatures: error rates</h1>
        <p>References: \(`protocol` == "first5" ? "each user's first five signatures" : "ten draws of five"). Users were \
        judged by \(judge.escapedForMarkup). \(isTouch ? "Signatures as a finger on a screen gives them." : "")</p>
        \(sets.map(section).joined(separator: "\n"))
        <p class="meta">EER is the rate at which as many genuine as forged signatures are mistaken (ISO/IEC 19795-1); in \
        brackets, what 90 of 100 draws of users give. A dot marks where the program decides. On the broken line both \
        errors are alike; the nearer a curve is to the corner below it, the better. Axes are normal deviates.</p>
        </body>
        </html>

        """
    }

    private func section(_ set: EvaluatedSet) -> String {
        """
        <section>
        <h2>\(set.title.escapedForMarkup)</h2>
        <div>
        <table>
        \(set.rows.filter { $0[1] != "-" }.map(row).joined(separator: "\n"))
        </table>
        \(set.plot.text)
        </div>
        </section>
        """
    }

    private func row(_ row: [String]) -> String {
        let rate = row[1].escapedForMarkup.replacing(" %", with: "&nbsp;%")
        return "<tr><th scope=\"row\">\(row[0].escapedForMarkup)</th><td>\(rate)</td></tr>"
    }

    private static let style = """
        :root { color-scheme: light dark; --paper: #f1f4f1; --sheet: #fcfdfc; --ink: #14212b; --soft: #48565e;
          --line: #cfd8d3; --seal: #0a6655; --other: #8a5a00 }
        @media (prefers-color-scheme: dark) { :root { --paper: #0e1619; --sheet: #162023; --ink: #e5ece8;
          --soft: #a5b3b1; --line: #2c393b; --seal: #66cdb2; --other: #efc46c } }
        body { margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem); max-width: 64rem; background: var(--paper);
          color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: break-word }
        h1, h2 { font-family: Georgia, serif; line-height: 1.2; text-wrap: balance }
        section { margin: 1.5rem 0; padding: 1rem 1.5rem; background: var(--sheet); border: 1px solid var(--line);
          border-radius: 5px }
        section > div { display: flex; flex-wrap: wrap; gap: 2rem; align-items: start }
        table { flex: 1 1 20rem; border-collapse: collapse } svg { flex: 1 1 22rem; max-width: 32rem }
        th, td { padding: .4rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400 }
        td { padding-left: 1rem; font-variant-numeric: tabular-nums } .meta { color: var(--soft); font-size: .9375rem }
        .grid { stroke: var(--line); stroke-width: 1 } .equal { stroke: var(--soft); stroke-dasharray: 3 5 }
        polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round } .curve-0 { stroke: var(--seal) }
        .curve-1 { stroke: var(--other); stroke-dasharray: 7 4 } .point { fill: var(--ink) }
        text { fill: var(--soft); font: 13px system-ui, sans-serif }
        .upright { transform: rotate(-90deg); transform-box: fill-box; transform-origin: center }
        """
}
