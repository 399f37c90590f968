import Encodings
import Foundation
import Interface

/// The report of a transaction for people: a court, an auditor, the signer.
///
/// Made from the same values as the report for programs. Nothing in it changes from one day to the next, so a signature
/// over it holds. The log's receipt, which grows with the log, is in the other one. Each language is a page of its own,
/// and what people have written stays in theirs.
struct SigningReportPage {
    let report: JSON
    private let record: JSON
    /// The bytes that were signed, where they are still kept.
    let document: Bytes
    let words: SigningReportWords

    init(_ report: JSON, document: Bytes, in catalogue: WordCatalogue = .english) throws {
        self.document = document
        words = SigningReportWords(catalogue: catalogue)
        guard let record = report["record"] else { throw StoredValueError(column: "signings.decision") }
        self.report = report
        self.record = record
    }

    func html() -> String {
        let isConfirmed = record["decision"]?.isString("confirmed") == true
        return """
            <!doctype html>
            <html lang="\(words.catalogue.code)" dir="\(words.catalogue.direction)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(words(.title, text(record["transaction"])))</title>
            <style>
            \(Self.style)\(signedText.isEmpty ? "" : Self.textStyle)
            </style>
            </head>
            <body>
            <header>
            <p class="meta">\(text(report["organisation"])) · \(words(.kind))</p>
            <h1>\(text(record["document"]?["name"]))</h1>
            <p class="decision \(isConfirmed ? "yes" : "no")">\
            \(words(isConfirmed ? .wasConfirmed : .wasRefused, time(record["decided_at"])))</p>
            </header>
            <main>
            \(section(words(.partiesTitle), table(parties)))\(signedText)
            \(section(words(.signatureTitle), "<figure class=\"paper\">\(drawing(report["drawing"]))</figure>\(photograph)"))
            \(section(words(.comparisonTitle), comparison))
            \(section(words(.movementTitle), plots))
            \(section(words(.errorsTitle), errors))
            \(section(words(.checkingTitle), checking))
            </main>
            </body>
            </html>

            """
    }

    private var parties: [(SigningReportText, String)] {
        let client = record["client"]
        let name = PersonName(givenName: plain(client?["given_name"]), familyName: plain(client?["family_name"]))
        var rows: [(SigningReportText, String)] = [
            (.client, text(.text(name.whole))),
            (.number, text(client?["number"])), (.signed, text(record["field"])),
            (.signedAt, time(record["signed_at"])), (.signingOperator, person(record["operator"])),
        ]
        if record["identified"] == .bool(true) { rows.append((.identified, words(.wasIdentified))) }
        if let enrolment = record["enrolment"] { rows += enrolled(enrolment) }
        let isConfirmed = record["decision"]?.isString("confirmed") == true
        rows.append((.decision, words(isConfirmed ? .confirmedAt : .refusedAt, time(record["decided_at"]))))
        if record["reason"]?.string?.isEmpty == false { rows.append((.reason, told(record["reason"]))) }
        let (version, type) = (record["document"]?["version"], record["document"]?["media_type"])
        rows += [
            (.document, words(.version, text(version), text(type))),
            (.documentDigest, digest(record["document"]?["sha256"])),
            (.transaction, code(record["transaction"])), (.device, text(record["device"])),
        ]
        if let place = record["place"] {
            let (latitude, longitude) = (place["latitude_millionths"], place["longitude_millionths"])
            let within = text(place["accuracy_metres"])
            rows.append((.place, words(.placeWithin, degrees(latitude), degrees(longitude), within)))
        }
        return rows
    }

    /// On which paper, and on whose word, it rests that the compared template is this client's.
    private func enrolled(_ enrolment: JSON) -> [(SigningReportText, String)] {
        let at = time(enrolment["time"])
        var rows: [(SigningReportText, String)] = [
            (
                .enrolled,
                enrolment["operator"].map { words(.enrolledBy, at, person($0)) } ?? words(.enrolledByNobody, at)
            ),
            (.paper, told(enrolment["paper"])),
        ]
        if enrolment["log_index"] != nil {
            rows.append((.enrolmentEntry, words(.entry, text(enrolment["log_index"]))))
            rows.append((.enrolmentDigest, digest(enrolment["act"])))
        }
        return rows
    }

    private var photograph: String {
        guard let jpeg = report["photograph"]?.string.flatMap({ Base64.decode($0, .url) }) else { return "" }
        let base64 = String(decoding: Base64.encode(jpeg, .standard), as: UTF8.self)
        return """
            <figure><img alt="\(words(.photograph))" src="data:image/jpeg;base64,\(base64)"><figcaption>\
            \(words(.photographConsent))</figcaption></figure>
            """
    }

    private var comparison: String {
        let figures = record["comparison"]
        return """
            <p>\(told(report["sentence"]))</p>\(device)
            \(table([
                (.score, figure(figures?["score"])), (.threshold, figure(figures?["threshold"])),
                (.difference, figure(figures?["difference"])),
                (.method, text(record["method"])), (.modelDigest, digest(record["model"])),
                (.template, words(.madeOn, time(record["template"]?["enrolled"]))),
            ]))
            <p class="meta">\(words(.scoreMeaning))</p>
            """
    }

    /// Whether the model knows such devices; empty in records of before that was told.
    private var device: String {
        guard let device = record["comparison"]?["device"], device["sentence"] != nil else { return "" }
        let isOther = device["fit"]?.isString("other") == true
        let warning = isOther ? "<strong>\(words(.otherDevice))</strong> " : ""
        return "\n<p class=\"device\">\(warning)\(words.device(plain(device["sentence"])).escapedForMarkup)</p>"
    }

    private var plots: String {
        let figures = (report["plots"]?.array ?? []).map { plot in
            "<figure class=\"plot\"><figcaption>\(told(plot["title"]))</figcaption>\(drawing(plot["svg"]))</figure>"
        }
        return """
            <p>\(words(.curves))</p>
            <div class="plots">\(figures.joined(separator: "\n"))</div>
            """
    }

    private var errors: String {
        let rates = report["error_rates"]
        let measured = rates?["measured_by"] == .text("organisation")
        let sets = (rates?["sets"]?.array ?? []).map { apart(words.set(plain($0)).escapedForMarkup) }
            .joined(separator: "; ")
        let (genuine, forged) = (rates?["genuine_refused_per_10000"], rates?["forged_accepted_per_10000"])
        let others = rates?["others_accepted_per_10000"]
        return """
            <p>\(words(.errorRates, text(genuine), text(forged), text(others)))</p>
            <figure class="rates">\(drawing(rates?["plot"]))</figure>
            <p class="meta">\(words(measured ? .measuredHere : .measuredElsewhere, sets))</p>
            """
    }

    private var checking: String {
        """
        <p>\(words(.checking))</p>
        <pre dir="ltr">countersign signatures verify report.json --trust root.pem --log-key log.policy --document signed-file
        countersign signatures verify report.html --signature report.html.jws --trust root.pem</pre>
        \(table([
            (.root, code(report["root_fingerprint"])), (.logEntry, text(report["log_index"])),
            (.drawingDigest, digest(record["drawing"])), (.movementDigest, digest(record["movement"])),
        ]))
        <p class="meta">\(words(.rawMovement))</p>
        """
    }

    // MARK: Parts

    func section(_ title: String, _ inner: String) -> String {
        "<section>\n<h2>\(title)</h2>\n\(inner)\n</section>"
    }

    private func table(_ rows: [(SigningReportText, String)]) -> String {
        "<table>"
            + rows.map { "<tr><th scope=\"row\">\(words($0.0))</th><td>\($0.1)</td></tr>" }.joined(separator: "\n")
            + "</table>"
    }

    private func plain(_ json: JSON?) -> String { String(decoding: json?.string ?? [], as: UTF8.self) }

    /// A person's text, as it is.
    private func text(_ json: JSON?) -> String {
        if let number = json?.integer { return "\(number)" }
        return apart(plain(json).escapedForMarkup)
    }

    /// The server's English text, in the language of the page.
    private func told(_ json: JSON?) -> String {
        let english = plain(json)
        return words.known(english)?.escapedForMarkup ?? apart(english.escapedForMarkup)
    }

    private func person(_ account: JSON?) -> String { "\(text(account?["name"])) (\(text(account?["username"])))" }

    /// From right to left, a name or an address of another script would pull the signs beside it along.
    private func apart(_ markup: String) -> String {
        words.catalogue.direction == "rtl" && !markup.isEmpty ? "<bdi>\(markup)</bdi>" : markup
    }

    /// Text that is read from left to right in every language.
    private func ordered(_ text: String) -> String {
        words.catalogue.direction == "rtl" ? "<bdi dir=\"ltr\">\(text)</bdi>" : text
    }

    private func code(_ json: JSON?) -> String {
        "<code dir=\"ltr\">\(json?.integer.map { "\($0)" } ?? plain(json).escapedForMarkup)</code>"
    }

    /// A digest as `sha256sum` writes it.
    private func digest(_ json: JSON?) -> String {
        guard let bytes = json?.string.flatMap({ Base64.decode($0, .url) }) else { return code(json) }
        return "<code dir=\"ltr\">\(String(decoding: Hex.encode(bytes), as: UTF8.self))</code>"
    }

    /// Markup of ours.
    private func raw(_ json: JSON?) -> String { String(decoding: json?.string ?? [], as: UTF8.self) }

    /// A picture of ours, with its texts in the language of the page.
    func drawing(_ json: JSON?) -> String {
        raw(json).replacing(/>([^<>]+)<\/(text|title)>/) { match in
            ">\(words.known(String(match.1)) ?? String(match.1))</\(match.2)>"
        }
    }

    private func time(_ json: JSON?) -> String {
        ordered(
            Date(timeIntervalSince1970: TimeInterval(json?.integer ?? 0)).formatted(
                .iso8601.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: false)
                    .timeSeparator(.colon).dateTimeSeparator(.space)) + " UTC")
    }

    /// Millionths with three places.
    private func figure(_ json: JSON?) -> String {
        ordered(String(format: "%.3f", Double(json?.integer ?? 0) / 1e6))
    }

    private func degrees(_ json: JSON?) -> String {
        ordered(String(format: "%.5f°", Double(json?.integer ?? 0) / 1e6))
    }
}
