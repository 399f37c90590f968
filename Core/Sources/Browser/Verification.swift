import BrowserCalls
import Documents
import EllipticCurves
import Encodings
import Verification

extension Browser {
    /// The whole check of a file, and what it says before that.
    static let verification = [
        Function("preview", ["language"], blobs: 1...1, preview),
        Function(
            "verify",
            [
                "root", "log_key", "time", "audience", "any_audience", "nonce", "maximum_age", "live_status",
                "language",
            ],
            blobs: 1...1, verify),
    ]

    /// Blob: the one file → the report with words, and the document's bytes when they are the ones signed.
    private static func verify(_ call: Call) throws(BrowserError) -> Answer {
        let language = try language(call)
        let root = try anchor(der: call.bytes("root"))
        let policy = call.optional("log_key") == nil ? nil : try policy(call.text("log_key"))
        let options = VerificationOptions(
            time: try call.number("time"), audience: try call.optionalText("audience"),
            acceptsAnyAudience: try call.flag("any_audience"),
            nonce: try call.optionalText("nonce"),
            maximumAge: try call.optionalNumber("maximum_age"),
            liveStatus: try call.texts("live_status", maximumCount: 4, maximum: 1 << 19))
        let verifier = Verifier(root: root, policy: policy, suite: PureSuite())
        guard let bundle = try? PresentationBundle.parse(call.blobs[0]) else {
            return Answer(value(verifier.verify(call.blobs[0], options: options), language))
        }
        let report = verifier.verify(bundle, options: options)
        guard report.content?.document != nil, let document = bundle.document else {
            return Answer(value(report, language))
        }
        return Answer(value(report, language), blobs: [document.content])
    }

    /// Blob: the one file → what it says of itself, which nobody has confirmed, and the document's bytes.
    private static func preview(_ call: Call) throws(BrowserError) -> Answer {
        let language = try language(call)
        let found: Preview
        do { found = try Preview.read(call.blobs[0], suite: PureSuite()) } catch { throw BrowserError(error) }
        let members: [JSON.Member] = [
            JSON.Member("organisation", .string(found.organisation)),
            JSON.Member("public_url", .string(found.publicURL)), JSON.Member("signer", .string(found.signer)),
        ]
        let document = try? PresentationBundle.parse(call.blobs[0]).document
        let isShown = found.content.document != nil
        return Answer(
            .object(members + content(found.content, language)),
            blobs: isShown ? document.map { [$0.content] } ?? [] : [])
    }

    /// Type, title, labelled fields, those that are withheld, and the document.
    private static func content(_ content: VerificationReport.Content, _ language: Bytes) -> [JSON.Member] {
        let type = DocumentCatalogue.type(named: content.claims.typeName)
        var members = [
            JSON.Member("type", .string(content.claims.typeName)),
            JSON.Member("fields", labelled(content.fields, type, language)),
            JSON.Member("withheld", .array(content.withheld.map { .text($0.name) })),
        ]
        if let type { members.append(JSON.Member("title", .text(type.title(in: language)))) }
        if let document = content.document { members.append(JSON.Member("document", document.json)) }
        return members
    }

    /// The report for programs, with a sentence in all and one for each check, and with labels for the fields.
    private static func value(_ report: VerificationReport, _ language: Bytes) -> JSON {
        var members: [JSON.Member] = []
        for member in report.json.members ?? [] {
            members.append(member.name.equals("checks") ? JSON.Member(member.name, checks(report)) : member)
        }
        members.append(JSON.Member("summary", .string(summary(report))))
        if let content = report.content {
            let type = DocumentCatalogue.type(named: content.claims.typeName)
            if let type { members.append(JSON.Member("title", .text(type.title(in: language)))) }
            members.append(JSON.Member("fields", labelled(content.fields, type, language)))
        }
        return .object(members)
    }

    private static func checks(_ report: VerificationReport) -> JSON {
        .array(
            report.checks.map { check in
                .members([
                    ("name", .literal(check.name.code)), ("result", .literal(check.result.code)),
                    ("reason", .literal(check.reason.code)), ("detail", .string(check.detail)),
                    ("words", .text(check.reason.sentence)),
                ])
            })
    }

    private static func summary(_ report: VerificationReport) -> Bytes {
        switch report.verdict {
        case .valid:
            guard let signer = report.signer else { return Bytes("Valid.") }
            return Bytes("Valid. Signed by ") + signer.name + Bytes(" for ") + signer.organisation + Bytes(".")
        case .notValid: return Bytes("Not valid. ") + first(.failed, report)
        case .couldNotTell: return Bytes("Could not tell. ") + first(.unknown, report)
        }
    }

    private static func first(_ result: CheckResult, _ report: VerificationReport) -> Bytes {
        report.checks.first { $0.result == result }?.detail ?? []
    }

    /// Fields with what people call them in a language, in the order of the catalogue; what it does not know comes last.
    ///
    /// The words are this program's, for a name that was signed: no file brings its own.
    static func labelled(_ fields: [JSON.Member], _ type: CatalogueType?, _ language: Bytes) -> JSON {
        var labelled: [JSON] = []
        for field in type?.fields ?? [] {
            for member in fields where member.name.equals(text: field.name) {
                labelled.append(row(member, label: .text(field.label(in: language))))
            }
        }
        for member in fields where !isKnown(member.name, type) {
            labelled.append(row(member, label: .string(member.name)))
        }
        return .array(labelled)
    }

    private static func row(_ member: JSON.Member, label: JSON) -> JSON {
        .members([("name", .string(member.name)), ("label", label), ("value", member.value)])
    }

    private static func isKnown(_ name: Bytes, _ type: CatalogueType?) -> Bool {
        type?.fields.contains { name.equals(text: $0.name) } ?? false
    }
}
