import Certificates
import CryptoProvider
import Documents
import Encodings
import Foundation
import Interface
import Transparency
import Verification
import Wallet

extension DemoStory {
    // MARK: Sign and send

    /// The administrator signs a real PDF and typed fields; the package is sealed before it leaves their wallet.
    func issue(_ request: String) async throws -> String {
        try await report.step("The administrator signs the transcript and sends it sealed to Stella's key") {
            let administrator = try await cast.unlock(DemoCast.registrar)
            _ = try await administrator.accept(request)
            guard
                let document = AttachedDocument(
                    name: Bytes(text: "transcript.pdf"), mediaType: Bytes(text: "application/pdf"),
                    content: Self.transcript.pdf())
            else { throw DemoFailure(step: "issue", reason: "not a document") }
            let issued = try await administrator.issue(request: request, fields: Self.fields, document: document)
            return (
                issued.info.id, "\(issued.info.size) bytes of ciphertext at the server; log entry \(issued.act.index)"
            )
        }
    }

    func open(_ document: String) async throws {
        try await report.step("Stella's wallet lists it, opens it and checks it") {
            let student = try await cast.unlock(DemoCast.student)
            let listed = try await student.documents()
            try demand(listed.contains { $0.id == document }, "not in the list")
            let held = try await student.open(document)
            try demand(held.document?.content == Self.transcript.pdf(), "another PDF")
            return
                "\(held.fields.count) fields and a PDF of \(held.document?.content.count ?? 0) bytes, signed by \(held.signer)"
        }
    }

    // MARK: Present and verify

    /// Stella shows chosen fields to one employer.
    func present(_ document: String) async throws -> Presentation {
        try await report.step("Stella presents it to Purple Plumbing: five fields and the PDF, one file") {
            let presentation = try await cast.unlock(DemoCast.student).present(
                document,
                PresentationChoice(
                    audience: Self.employer, nonce: Self.nonce,
                    fields: ["given_name", "family_name", "programme", "courses", "credits_total"]))
            return (presentation, "\(presentation.file.count) bytes, for \(Self.employer) only")
        }
    }

    /// The employer checks it with only the pinned root and the log's key.
    func verify(_ presentation: Presentation, _ employer: DemoEmployer) async throws {
        try await report.step("The employer verifies it offline") {
            let report = try employer.verify(presentation.file)
            try demand(report.verdict == .valid, employer.words(report))
            return report.checks.map { "\($0.name.code): \($0.detail.text)" }.joined(separator: "\n")
        }
    }

    /// By link: encrypted, with a code, counted, and stopped.
    func share(_ presentation: Presentation, of document: String, _ employer: DemoEmployer) async throws {
        try await report.step("By link: a wrong code is refused, the right one opens it, then it is stopped") {
            let student = try await cast.unlock(DemoCast.student)
            let link = try await student.share(presentation, of: document, lifetime: 3_600, maximumViews: 2)
            try await refused("wrong-code") { _ = try await WalletClient.fetch(link.link, code: "0000-0000") }
            let fetched = try await WalletClient.fetch(link.link, code: link.code)
            try demand(try employer.verify(fetched.file).verdict == .valid, "what the link gave is not valid")
            try await student.stopShare(link.share.id)
            try await refused("gone") { _ = try await WalletClient.fetch(link.link, code: link.code) }
            return "opened once, \(fetched.viewsLeft) view left, then stopped"
        }
    }

    // MARK: Attacks

    func attack(_ presentation: Presentation, _ employer: DemoEmployer) async throws {
        try await report.step("A forged copy (better grades in the PDF) is refused") {
            let bundle = presentation.bundle
            guard let document = bundle.document,
                let forged = AttachedDocument(
                    name: document.name, mediaType: document.mediaType,
                    content: DemoTranscript(lines: Self.transcript.lines + ["ROB-999  Everything  60  A"]).pdf())
            else { throw DemoFailure(step: "forge", reason: "no document") }
            let file = PresentationBundle(
                presentation: bundle.presentation, document: forged, status: bundle.status, receipt: bundle.receipt
            ).formatted()
            return try employer.refusal(file, check: .digest)
        }
        try await report.step("Eve presents Stella's transcript with Eve's key: refused") {
            let file = try swapHolder(presentation)
            return try employer.refusal(file, check: .holder)
        }
        try await report.step("The employer passes the file on to a bank: refused there") {
            try employer.asking(audience: "https://bank.example").refusal(presentation.file, check: .audience)
        }
        try await report.step("Somebody shows the same file again in answer to another nonce: refused") {
            try employer.asking(nonce: "c2Vjb25kLXF1ZXN0aW9u").refusal(presentation.file, check: .freshness)
        }
    }

    /// Another person's credential and disclosures, with a key binding by the forger's key.
    private func swapHolder(_ presentation: Presentation) throws -> Bytes {
        let bundle = presentation.bundle
        guard let end = bundle.presentation.lastIndex(of: UInt8(ascii: "~")) else {
            throw DemoFailure(step: "swap", reason: "no key binding")
        }
        let shown = Array(bundle.presentation[...end])
        let payload = JSON.members([
            ("iat", .integer(Int64(Date().timeIntervalSince1970))), ("aud", .text(Self.employer)),
            ("nonce", .text(Self.nonce)), ("sd_hash", .string(Base64.encode(SHA256.hash(shown), .url))),
        ])
        let binding = try SigningKey().signJWS(type: "kb+jwt", payload: payload)
        return PresentationBundle(
            presentation: shown + Bytes(text: binding), document: bundle.document, status: bundle.status,
            receipt: bundle.receipt
        ).formatted()
    }

    /// Demands that an act is refused with a problem of this kind.
    func refused(_ slug: String, _ act: () async throws -> Void) async throws {
        do {
            try await act()
        } catch let error as ProblemError {
            try demand(error.slug == slug, "refused otherwise: \(error.problem.detail)")
            return
        }
        throw DemoFailure(step: "refusal", reason: "it was not refused")
    }

    // MARK: What is signed

    static let transcript = DemoTranscript(lines: [
        "Purple University: transcript of records", "Student: Stella Student, s1234567", "Programme: Marine Robotics",
        "",
        "ROB-101  Underwater vehicles        15  B", "ROB-205  Signals in salt water      15  A",
        "MAT-110  Linear algebra             10  C", "", "Credits in all: 40", phrase,
    ])

    static let fields: [JSON.Member] = [
        JSON.Member("given_name", .text("Stella")), JSON.Member("family_name", .text("Student")),
        JSON.Member("student_number", .text("s1234567")), JSON.Member("programme", .text(programme)),
        JSON.Member(
            "courses",
            .array([
                course("ROB-101", "Underwater vehicles", 15, "B"), course("ROB-205", "Signals in salt water", 15, "A"),
                course("MAT-110", "Linear algebra", 10, "C"),
            ])),
        JSON.Member("credits_total", .integer(40)),
    ]

    private static func course(_ code: String, _ title: String, _ credits: Int64, _ grade: String) -> JSON {
        .members([
            ("code", .text(code)), ("title", .text(title)), ("credits", .integer(credits)), ("grade", .text(grade)),
        ])
    }
}
