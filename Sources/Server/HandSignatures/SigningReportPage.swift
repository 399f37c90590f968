import Encodings
import Foundation

/// The report of a transaction for people: a court, an auditor, the signer.
///
/// Made from the same values as the report for programs. Nothing in it changes from one day to the next, so that a
/// signature over it holds: the log's receipt, which grows with the log, is in the other one.
struct SigningReportPage {
    let report: JSON
    private let record: JSON
    /// The bytes that were signed, where they are still kept.
    let document: Bytes

    init(_ report: JSON, document: Bytes) throws {
        self.document = document
        guard let record = report["record"] else { throw StoredValueError(column: "signings.decision") }
        self.report = report
        self.record = record
    }

    func html() -> String {
        let isConfirmed = record["decision"]?.isString("confirmed") == true
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Signing by hand: transaction \(text(record["transaction"]))</title>
            <style>
            \(Self.style)\(signedText.isEmpty ? "" : Self.textStyle)
            </style>
            </head>
            <body>
            <header>
            <p class="meta">\(text(report["organisation"])) · report of a signature by hand</p>
            <h1>\(text(record["document"]?["name"]))</h1>
            <p class="decision \(isConfirmed ? "yes" : "no")">\(isConfirmed ? "✓ Confirmed" : "✗ Refused") on \
            \(time(record["decided_at"]))</p>
            </header>
            <main>
            \(section("Who signed what", table(parties)))\(signedText)
            \(section("The signature", "<figure class=\"paper\">\(raw(report["drawing"]))</figure>\(photograph)"))
            \(section("The comparison", comparison))
            \(section("The movement", plots))
            \(section("How often such a comparison errs", errors))
            \(section("How to check this report", checking))
            </main>
            </body>
            </html>

            """
    }

    private var parties: [(String, String)] {
        let (client, account) = (record["client"], record["operator"])
        var rows = [
            ("Client", "\(text(client?["given_name"])) \(text(client?["family_name"]))"),
            ("Identity number", text(client?["number"])),
            ("Signed", text(record["field"])), ("Signed at", time(record["signed_at"])),
            ("Operator", "\(text(account?["name"])) (\(text(account?["username"])))"),
        ]
        if record["identified"] == .bool(true) {
            rows.append(("Who it is", "The operator said that they had checked it."))
        }
        if let enrolment = record["enrolment"] { rows += enrolled(enrolment) }
        rows += [
            ("Decision", "\(text(record["decision"])) at \(time(record["decided_at"]))")
        ]
        if record["reason"]?.string?.isEmpty == false { rows.append(("Reason", text(record["reason"]))) }
        rows += [
            ("Document", "version \(text(record["document"]?["version"])), \(text(record["document"]?["media_type"]))"),
            ("SHA-256 of its bytes", digest(record["document"]?["sha256"])),
            ("Transaction", code(record["transaction"])), ("Device", text(record["device"])),
        ]
        if let place = record["place"] {
            rows.append(
                (
                    "Place, as the device gave it",
                    "\(degrees(place["latitude_millionths"])), \(degrees(place["longitude_millionths"])), "
                        + "within \(text(place["accuracy_metres"])) m"
                ))
        }
        return rows
    }

    /// On which paper, and on whose word, it rests that the compared template is this client's.
    private func enrolled(_ enrolment: JSON) -> [(String, String)] {
        let account = enrolment["operator"]
        let who =
            account.map { "by \(text($0["name"])) (\(text($0["username"])))" } ?? "by an operator who is not on record"
        var rows = [
            ("Enrolled", "\(time(enrolment["time"])), \(who)"),
            ("Paper seen at the enrolment", text(enrolment["paper"])),
        ]
        if enrolment["log_index"] != nil {
            rows.append(("The enrolment in the log", "entry \(text(enrolment["log_index"]))"))
            rows.append(("SHA-256 of the enrolment's act", digest(enrolment["act"])))
        }
        return rows
    }

    private var photograph: String {
        guard let jpeg = report["photograph"]?.string.flatMap({ Base64.decode($0, .url) }) else { return "" }
        let base64 = String(decoding: Base64.encode(jpeg, .standard), as: UTF8.self)
        return """
            <figure><img alt="Photograph of the signer" src="data:image/jpeg;base64,\(base64)"><figcaption>Taken with \
            the signer's consent.</figcaption></figure>
            """
    }

    private var comparison: String {
        let figures = record["comparison"]
        return """
            <p>\(text(report["sentence"]))</p>\(device)
            \(table([
                ("Comparison score", figure(figures?["score"])), ("Threshold", figure(figures?["threshold"])),
                ("Difference", figure(figures?["difference"])),
                ("Method", text(record["method"])), ("SHA-256 of the model", digest(record["model"])),
                ("Template of the client", "made on \(time(record["template"]?["enrolled"]))"),
            ]))
            <p class="meta">The score says how unlike the movement is to five signatures that this client gave when \
            an operator had checked their identity. At or below the threshold it counts as the client's own.</p>
            """
    }

    /// Whether the model knows such devices; empty in records of before that was told.
    private var device: String {
        guard let device = record["comparison"]?["device"], device["sentence"] != nil else { return "" }
        let warning = device["fit"]?.isString("other") == true ? "<strong>Another device.</strong> " : ""
        return "\n<p class=\"device\">\(warning)\(text(device["sentence"]))</p>"
    }

    private var plots: String {
        let figures = (report["plots"]?.array ?? []).map { plot in
            "<figure class=\"plot\"><figcaption>\(text(plot["title"]))</figcaption>\(raw(plot["svg"]))</figure>"
        }
        return """
            <p><span class="key probe">this signature</span> <span class="key reference">the nearest of the client's \
            own</span>, laid against each other so that like parts stand side by side. Each curve is in deviations from \
            its mean.</p>
            <div class="plots">\(figures.joined(separator: "\n"))</div>
            """
    }

    private var errors: String {
        let rates = report["error_rates"]
        let measured =
            rates?["measured_by"] == .text("organisation")
            ? "Measured by this organisation, which has installed a model of its own"
            : "Measured on research sets, with models that had not learnt from the people judged, not on this "
                + "organisation's devices"
        let sets = (rates?["sets"]?.array ?? []).map(text).joined(separator: "; ")
        return """
            <p>At this threshold, of 10,000 signatures \(text(rates?["genuine_refused_per_10000"])) genuine ones would \
            be refused, \(text(rates?["forged_accepted_per_10000"])) forgeries by people who had practised accepted, and \
            \(text(rates?["others_accepted_per_10000"])) accepted of people who did not try to imitate. So a signature \
            that counts as the client's own may be a practised forgery, and one that does not may be genuine: the figures speak \
            for or against, they prove nothing alone.</p>
            <figure class="rates">\(raw(rates?["plot"]))</figure>
            <p class="meta">\(measured): \(sets). The dot is this threshold.</p>
            """
    }

    private var checking: String {
        """
        <p>This page has a detached signature (a file <code>.jws</code>), and there is a report for programs, JSON, with \
        the same content and the log's receipt. With the organisation's root certificate you can check it without a network \
        and without asking the organisation:</p>
        <pre>countersign signatures verify report.json --trust root.pem --log-key log.policy --document signed-file
        countersign signatures verify report.html --signature report.html.jws --trust root.pem</pre>
        \(table([
            ("Root, SHA-256", code(report["root_fingerprint"])), ("Entry in the log", text(report["log_index"])),
            ("SHA-256 of the picture", digest(record["drawing"])),
            ("SHA-256 of the raw movement", digest(record["movement"])),
        ]))
        <p class="meta">The raw movement is sealed to a key that is kept offline. The holder of that key opens the movement with \
        <code>countersign admin forensic open</code>. The log records every hand-over.</p>
        """
    }

    // MARK: Parts

    func section(_ title: String, _ inner: String) -> String {
        "<section>\n<h2>\(title)</h2>\n\(inner)\n</section>"
    }

    private func table(_ rows: [(String, String)]) -> String {
        "<table>"
            + rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>" }.joined(separator: "\n")
            + "</table>"
    }

    private func text(_ json: JSON?) -> String {
        if let number = json?.integer { return "\(number)" }
        return String(decoding: json?.string ?? [], as: UTF8.self).escapedForMarkup
    }

    private func code(_ json: JSON?) -> String { "<code>\(text(json))</code>" }

    /// A digest as `sha256sum` writes it.
    private func digest(_ json: JSON?) -> String {
        guard let bytes = json?.string.flatMap({ Base64.decode($0, .url) }) else { return code(json) }
        return "<code>\(String(decoding: Hex.encode(bytes), as: UTF8.self))</code>"
    }

    /// Markup of ours.
    func raw(_ json: JSON?) -> String { String(decoding: json?.string ?? [], as: UTF8.self) }

    private func time(_ json: JSON?) -> String {
        Date(timeIntervalSince1970: TimeInterval(json?.integer ?? 0)).formatted(
            .iso8601.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
                .timeSeparator(.colon).dateTimeSeparator(.space)) + " UTC"
    }

    /// Millionths with three places.
    private func figure(_ json: JSON?) -> String {
        String(format: "%.3f", Double(json?.integer ?? 0) / 1e6)
    }

    private func degrees(_ json: JSON?) -> String {
        String(format: "%.5f°", Double(json?.integer ?? 0) / 1e6)
    }

    private static let style = """
        :root { color-scheme: light dark; --paper: #f1f4f1; --sheet: #fcfdfc; --ink: #14212b; --soft: #48565e;
          --line: #cfd8d3; --seal: #0a6655; --other: #8a5a00; --no: #9c2b1e }
        @media (prefers-color-scheme: dark) { :root { --paper: #0e1619; --sheet: #162023; --ink: #e5ece8;
          --soft: #a5b3b1; --line: #2c393b; --seal: #66cdb2; --other: #efc46c; --no: #ff9c8c } }
        @media print { :root { --paper: #fff; --sheet: #fff; --ink: #000; --soft: #333 } section { break-inside: avoid } }
        body { margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2.5rem); max-width: 62rem; background: var(--paper);
          color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: break-word }
        h1, h2 { font-family: Georgia, serif; line-height: 1.2; text-wrap: balance; margin: .2em 0 .6em }
        section { margin: 1.25rem 0; padding: 1rem 1.5rem; background: var(--sheet); border: 1px solid var(--line);
          border-radius: 5px }
        .decision { font-weight: 600; font-size: 1.2rem } .yes { color: var(--seal) } .no { color: var(--no) }
        table { width: 100%; border-collapse: collapse } figure { margin: 0 0 1rem } img { max-width: 16rem }
        th, td { padding: .4rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400;
          vertical-align: top }
        th { width: 36%; color: var(--soft); padding-right: 1rem } td { font-variant-numeric: tabular-nums }
        code, pre { font-size: .875rem; overflow-wrap: anywhere; white-space: pre-wrap }
        .meta, figcaption { color: var(--soft); font-size: .9375rem }
        .paper svg { max-width: 30rem; background: #fff; border: 1px solid var(--line) }
        .ink { fill: none; stroke: #14212b; stroke-width: 3; stroke-linejoin: round; stroke-linecap: round }
        .dot { fill: #14212b } .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem }
        .plot svg { width: 100%; border: 1px solid var(--line) } .axis { stroke: var(--line) }
        polyline { fill: none; stroke-linejoin: round } .probe { stroke: var(--seal); stroke-width: 2.5 }
        .reference { stroke: var(--other); stroke-width: 2.5; stroke-dasharray: 8 4 }
        .key { padding-left: 2.2rem; position: relative } .key::before { content: ""; position: absolute; left: 0;
          top: .65em; width: 1.8rem; border-top: 3px solid var(--seal) }
        .key.reference::before { border-top: 3px dashed var(--other) }
        .rates svg { max-width: 30rem } .grid { stroke: var(--line); stroke-width: 1 }
        .equal { stroke: var(--soft); stroke-dasharray: 3 5 } .curve-0 { stroke: var(--seal); stroke-width: 2.5 }
        .curve-1 { stroke: var(--other); stroke-width: 2.5; stroke-dasharray: 7 4 } .point { fill: var(--ink) }
        text { fill: var(--soft); font: 13px system-ui, sans-serif }
        .upright { transform: rotate(-90deg); transform-box: fill-box; transform-origin: center }
        """
}
