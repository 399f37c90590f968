import Encodings
import Foundation
import HandSignatures
import Interface
import Storage
import Workers

/// A document exactly as a client would sign it.
struct RenderedDocument: Sendable {
    var name: String
    /// `text/html` or `application/pdf`.
    var mediaType: String
    var bytes: Bytes
    /// SHA-256 of the bytes, base64url.
    var digest: String
    /// The version that was filled in.
    var version: Int64
}

/// The desk's documents: texts with placeholders, and PDFs.
struct WorkspaceService {
    let environment: Environment

    private var box: TemplateBox { TemplateBox(environment.keys) }

    /// What can be looked at by itself.
    enum Part: String, ListPart { case all, text, pdf }

    /// All of a part that have the words: there are never more than one page of them.
    func list(_ part: Part, _ request: ListRequest) async throws -> Listing<WorkspaceDocument> {
        let found = try await environment.database.read { transaction in
            let rows = try WorkspaceStore(transaction: transaction).list(limit: Limits.listing)
            let people = try AccountStore(transaction: transaction).find(ids: rows.map(\.changedBy))
            return try rows.map { try Self.describe($0, by: people[$0.changedBy], withText: false) }.filter {
                request.finds([$0.name, $0.changedBy.name])
            }
        }
        func of(_ part: Part) -> [WorkspaceDocument] {
            found.filter { part == .all || $0.kind.rawValue == part.rawValue }
        }
        let counts = Part.allCases.map { ListCount(show: $0.rawValue, total: of($0).count, isMore: false) }
        return Listing(of(part), counts: counts)
    }

    func find(_ id: String) async throws -> WorkspaceDocument {
        try await environment.database.read { transaction in
            guard let stored = try WorkspaceStore(transaction: transaction).find(id: id) else {
                throw HandSignatureError.documentNotFound
            }
            return try describe(stored, in: transaction, withText: true)
        }
    }

    func create(_ request: WorkspaceContent, _ principal: Principal) async throws -> WorkspaceDocument {
        let id = environment.newIdentifier()
        let now = environment.now()
        return try await storing(request, id: id) { name, kind, content in
            try await environment.database.write { transaction in
                let store = WorkspaceStore(transaction: transaction)
                guard try store.count() < Int64(Limits.listing) else {
                    throw HandSignatureError.tooMany("There are \(Limits.listing) documents. Delete one first.")
                }
                let stored = WorkspaceStore.Stored(
                    id: id, name: name, kind: kind, version: 1, content: content, changed: now,
                    changedBy: principal.account)
                try store.insert(stored)
                _ = try record(.workspaceChanged, stored, by: principal, in: transaction, now: now)
                return (try describe(stored, in: transaction, withText: true), nil)
            }
        }
    }

    /// Makes the next version, unless another person was faster.
    func change(_ id: String, _ request: WorkspaceContent, _ principal: Principal) async throws -> WorkspaceDocument {
        guard let expected = request.version else {
            throw HandSignatureError.invalid("version: the one that was changed.")
        }
        let now = environment.now()
        return try await storing(request, id: id) { name, kind, content in
            try await environment.database.write { transaction in
                let store = WorkspaceStore(transaction: transaction)
                guard let old = try store.find(id: id) else { throw HandSignatureError.documentNotFound }
                guard old.version == expected else { throw HandSignatureError.otherVersion(old.version) }
                let stored = WorkspaceStore.Stored(
                    id: id, name: name, kind: kind, version: old.version + 1, content: content, changed: now,
                    changedBy: principal.account)
                try store.update(stored)
                _ = try record(.workspaceChanged, stored, by: principal, in: transaction, now: now)
                return (try describe(stored, in: transaction, withText: true), old.kind == .pdf ? old.content : nil)
            }
        }
    }

    /// Takes a document away; what was signed of it stays with its transactions.
    ///
    /// The log and the row that is left say who did it.
    func delete(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let blob = try await environment.database.write { transaction in
            let store = WorkspaceStore(transaction: transaction)
            guard let stored = try store.find(id: id) else { throw HandSignatureError.documentNotFound }
            try store.delete(id: id, at: now, by: principal.account)
            _ = try record(.workspaceDeleted, stored, by: principal, in: transaction, now: now)
            return stored.kind == .pdf ? stored.content : nil
        }
        if let blob { try await environment.blobs.delete(blob) }
    }

    /// The bytes of a document that is a PDF.
    func pdf(_ id: String) async throws -> Bytes {
        let stored = try await environment.database.read { try WorkspaceStore(transaction: $0).find(id: id) }
        guard let stored, stored.kind == .pdf else { throw HandSignatureError.documentNotFound }
        return try await pdf(stored)
    }

    private func pdf(_ stored: WorkspaceStore.Stored) async throws -> Bytes {
        guard let sealed = try await environment.blobs.read(stored.content) else {
            throw HandSignatureError.documentNotFound
        }
        return try box.open(sealed, .workspaceFile, of: stored.content)
    }

    /// The document exactly as a client would sign it today.
    func render(_ id: String, client: ClientStore.Stored, details: ClientDetails) async throws -> RenderedDocument {
        let (stored, organisation, asked) = try await environment.database.read { transaction in
            (
                try WorkspaceStore(transaction: transaction).find(id: id),
                try OrganisationStore(transaction: transaction).find(),
                try ClientFieldStore(transaction: transaction).fields()
            )
        }
        guard let stored else { throw HandSignatureError.documentNotFound }
        let file: Bytes? = if stored.kind == .pdf { try await pdf(stored) } else { nil }
        let text = stored.kind == .text ? try Self.text(of: stored) : nil
        let logo = text?.layout?.hasHeader == true ? try await logo() : nil
        let day = Self.day(environment.now())
        return try await environment.work.run {
            let bytes =
                file ?? text?.page(title: Bytes(text: stored.name), logo: logo) { field in
                    switch field {
                    case .givenName: Bytes(text: client.givenName)
                    case .familyName: Bytes(text: client.familyName)
                    case .number: Bytes(text: details.number)
                    case .date: Bytes(text: day)
                    case .organisation: Bytes(text: organisation?.name ?? "")
                    case .custom(let id): Bytes(text: Self.words(details, asked, id))
                    }
                } ?? []
            return RenderedDocument(
                name: stored.name, mediaType: file == nil ? "text/html" : "application/pdf", bytes: bytes,
                digest: environment.suite.sha256(bytes).base64URL, version: stored.version)
        }
    }

    /// The text for a field that the organisation has defined: a dash if the client has no value, or if the field is no
    /// longer asked.
    private static func words(_ details: ClientDetails, _ asked: [ClientField], _ id: Bytes) -> String {
        let name = String(decoding: id, as: UTF8.self)
        guard let field = asked.first(where: { $0.id == name }), let value = details.fields[name] else { return "—" }
        guard field.kind == .date, let date = FieldValue.date(Bytes(text: value)),
            let day = DateComponents(
                calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: date.year, month: date.month,
                day: date.day
            ).date
        else { return value }
        return Self.day(Int64(day.timeIntervalSince1970))
    }

    private static func text(of stored: WorkspaceStore.Stored) throws -> WrittenText {
        guard let text = try? WrittenText(Bytes(text: stored.content)) else {
            throw StoredValueError(column: "workspace_documents.content")
        }
        return text
    }

    /// The head of a text that wants one.
    private func logo() async throws -> WrittenText.Logo? {
        try await FaceService(environment: environment).logo().map { file in
            WrittenText.Logo(file.logo.mediaType == "image/png" ? .png : .svg, file.bytes)
        }
    }

    // MARK: Parts

    /// Enters in the log who did something to a document, without its name.
    private func record(
        _ kind: TrustEvent.Kind, _ document: WorkspaceStore.Stored, by principal: Principal,
        in transaction: Transaction, now: Int64
    ) throws -> Int64 {
        try environment.log.record(
            TrustEvent(
                kind, account: principal.account,
                [("document", .text(document.id)), ("version", .integer(document.version))]),
            in: transaction, now: now)
    }

    /// Checks the content, stores a PDF before the row that names it, and removes what the row does not name any more.
    private func storing(
        _ request: WorkspaceContent, id: String,
        _ body: (String, WorkspaceDocument.Kind, String) async throws -> (WorkspaceDocument, String?)
    ) async throws -> WorkspaceDocument {
        let name = try DeskRules.name(request.name, "name")
        switch (request.text, request.pdf) {
        case (let text?, nil):
            let written: WrittenText
            do throws(WrittenText.FormError) {
                written = try WrittenText(Bytes(text: text))
            } catch {
                switch error {
                case .tooLong: throw HandSignatureError.invalid("text: longer than 256 KiB or 2,000 parts.")
                case .malformed(let block):
                    throw HandSignatureError.invalid("text: block \(block + 1) is not of the form.")
                case .secondSignature(let block):
                    throw HandSignatureError.invalid(
                        "text: block \(block + 1) is another place of the signature; a text has at most one.")
                }
            }
            try await checkFields(of: written)
            let (answer, old) = try await body(name, .text, text)
            if let old { try await environment.blobs.delete(old) }
            return answer
        case (nil, let pdf?):
            let blob = environment.newIdentifier()
            let sealed = try await environment.work.run {
                guard let bytes = Base64.decode(Bytes(text: pdf), .url), bytes.count <= Limits.workspaceFile,
                    bytes.starts(with: Bytes(text: "%PDF-"))
                else { throw HandSignatureError.invalid("pdf: a PDF of at most 12 MiB, base64url.") }
                return try box.seal(bytes, .workspaceFile, of: blob)
            }
            try await environment.blobs.write(blob, sealed)
            let (answer, old) = try await environment.keepingBlob(blob) { try await body(name, .pdf, blob) }
            if let old { try await environment.blobs.delete(old) }
            return answer
        default: throw HandSignatureError.invalid("text or pdf: one of the two.")
        }
    }

    /// A text names only fields that the organisation asks, or has asked.
    private func checkFields(of text: WrittenText) async throws {
        let named = text.fields.compactMap { field in
            if case .custom(let id) = field { String(decoding: id, as: UTF8.self) } else { nil }
        }
        guard !named.isEmpty else { return }
        let known = try await ClientFieldService(environment: environment).fields()
        let all = Set((known.fields + (known.removed ?? [])).compactMap(\.id))
        guard named.allSatisfy(all.contains) else {
            throw HandSignatureError.invalid("text: it names a field of clients that the organisation does not have.")
        }
    }

    private func describe(
        _ stored: WorkspaceStore.Stored, in transaction: Transaction, withText: Bool
    ) throws -> WorkspaceDocument {
        try Self.describe(
            stored, by: try AccountStore(transaction: transaction).find(id: stored.changedBy), withText: withText)
    }

    private static func describe(
        _ stored: WorkspaceStore.Stored, by account: Account?, withText: Bool
    ) throws -> WorkspaceDocument {
        guard let account else { throw HandSignatureError.documentNotFound }
        return WorkspaceDocument(
            id: stored.id, name: stored.name, kind: stored.kind, version: stored.version, changed: stored.changed,
            changedBy: account, text: withText && stored.kind == .text ? stored.content : nil)
    }

    /// `22 November 2026`, UTC, in any language of the server.
    private static func day(_ time: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(time)).formatted(
            Date.VerbatimFormatStyle(
                format: "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits)",
                locale: Locale(identifier: "en_GB"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }
}
