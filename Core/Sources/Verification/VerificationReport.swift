import Certificates
public import Documents
public import Encodings

/// What the whole check found.
public struct VerificationReport: Sendable {
    /// All checks, in the order of `CheckName`.
    public let checks: [Check]
    /// What to do with the presentation.
    public var verdict: Verdict { Verdict(Question.allCases.map(answer)) }
    /// Who signed; there when `chain` passed.
    public let signer: Signer?
    /// What was disclosed; there when `chain` and `digest` passed.
    public let content: Content?
    /// Who the presentation is for, and when and in answer to what it was made; there when `holder` passed.
    public let binding: KeyBinding?
    /// When the log recorded the credential, in seconds since 1970; there when `receipt` passed.
    public let loggedAt: Int64?
    /// When the status list that was used was made, in seconds since 1970: later revocations are not in it.
    public let statusAt: Int64?

    /// Who signed the credential, from validated certificates.
    public struct Signer: Sendable {
        /// The organisation's name for people, UTF-8: `OrganisationName.shown`.
        public let organisation: Bytes
        /// The organisation's name in its certificates, UTF-8.
        public let certifiedOrganisation: Bytes
        /// The organisation's public URL.
        public let publicURL: Bytes
        /// The administrator's name, UTF-8.
        public let name: Bytes
        /// SHA-256 of the signer's certificate.
        public let fingerprint: Bytes
        /// SHA-256 of the pinned root.
        public let rootFingerprint: Bytes

        init(_ path: ValidatedPath, issuerName: Bytes?) {
            certifiedOrganisation = path.organisation
            organisation = OrganisationName.shown(certified: path.organisation, stated: issuerName)
            publicURL = path.publicURL
            name = path.commonName
            fingerprint = path.leaf.fingerprint
            rootFingerprint = path.root.fingerprint
        }
    }

    /// The issuer's claims, as far as the holder shows them.
    public struct Content: Sendable {
        /// The always visible claims.
        public let claims: CredentialClaims
        /// The claims about the subject that are visible or disclosed, without `document`.
        public let fields: [JSON.Member]
        /// Mandatory fields of the type that the holder does not show.
        public let withheld: [CatalogueField]
        /// The document that was signed, if it is disclosed.
        public let document: DocumentDescriptor?
    }

    /// The answer to a question.
    public func answer(_ question: Question) -> Question.Answer { .init(checks(of: question)) }

    /// The check that says why the answer is what it is: the first that fails, else the first that could not be made.
    ///
    /// - Returns: `nil` when the answer is yes.
    public func obstacle(_ question: Question) -> Check? {
        let checks = checks(of: question)
        return checks.first { $0.result == .failed } ?? checks.first { $0.result == .unknown }
    }

    private func checks(of question: Question) -> [Check] { checks.filter { $0.name.question == question } }

    /// The check of this name.
    public func check(_ name: CheckName) -> Check {
        checks.first { $0.name == name } ?? Check(name, .notReached)
    }

    /// The report for programs.
    public var json: JSON {
        var members: [JSON.Member] = [
            JSON.Member("verdict", Self.text(verdict.code)),
            JSON.Member("answers", .array(Question.allCases.map(json))),
            JSON.Member("checks", .array(checks.map(Self.json))),
        ]
        if let signer {
            let object = JSON.members([
                ("organisation", .string(signer.organisation)),
                ("certified_organisation", .string(signer.certifiedOrganisation)),
                ("public_url", .string(signer.publicURL)),
                ("name", .string(signer.name)), ("fingerprint", .string(Hex.encode(signer.fingerprint))),
                ("root_fingerprint", .string(Hex.encode(signer.rootFingerprint))),
            ])
            members.append(JSON.Member("signer", object))
        }
        if let content {
            members.append(JSON.Member("type", .string(content.claims.typeName)))
            members.append(JSON.Member("issued_at", .integer(content.claims.issuedAt)))
            if let time = content.claims.expiresAt { members.append(JSON.Member("expires_at", .integer(time))) }
            members.append(JSON.Member("claims", .object(content.fields)))
            members.append(JSON.Member("withheld", .array(content.withheld.map { .text($0.name) })))
            if let document = content.document { members.append(JSON.Member("document", document.json)) }
        }
        if let binding {
            members.append(JSON.Member("audience", .string(binding.audience)))
            members.append(JSON.Member("nonce", .string(binding.nonce)))
            members.append(JSON.Member("presented_at", .integer(binding.issuedAt)))
            members.append(JSON.Member("presented_until", .integer(binding.expiresAt)))
        }
        if let loggedAt { members.append(JSON.Member("logged_at", .integer(loggedAt))) }
        if let statusAt { members.append(JSON.Member("status_at", .integer(statusAt))) }
        return .object(members)
    }

    private func json(_ question: Question) -> JSON {
        let obstacle = obstacle(question).map { Self.text($0.reason.code) } ?? .null
        return .members([
            ("question", Self.text(question.code)), ("answer", Self.text(answer(question).code)), ("reason", obstacle),
        ])
    }

    private static func json(_ check: Check) -> JSON {
        .members([
            ("name", text(check.name.code)), ("result", text(check.result.code)),
            ("reason", text(check.reason.code)), ("detail", .string(check.detail)),
        ])
    }

    private static func text(_ code: StaticString) -> JSON {
        code.withUTF8Buffer { unsafe .string(Bytes($0)) }
    }
}
