public import Encodings

/// The organisation's signed record of a transaction: who signed what by hand, before whom, and what was decided.
///
/// Everything except the decision is known when the client signs. The record is whole, and signed, once there is a
/// decision. Its members are what `docs/hand-signatures.md` describes, and what ``SigningReport`` checks.
public struct SigningRecord: Sendable {
    /// Who signed.
    public struct Client: Sendable {
        let json: JSON
        /// A client of the desk, with the number of the paper that was seen at the enrolment.
        public init(id: Bytes, givenName: Bytes, familyName: Bytes, number: Bytes) {
            json = .members([
                ("family_name", .string(familyName)), ("given_name", .string(givenName)), ("id", .string(id)),
                ("number", .string(number)),
            ])
        }
    }

    /// Before whom.
    public struct Operator: Sendable {
        let json: JSON
        /// The account that worked at the desk.
        public init(id: Bytes, name: Bytes, username: Bytes) {
            json = .members([("id", .string(id)), ("name", .string(name)), ("username", .string(username))])
        }
    }

    /// The signed document; its digest is the SHA-256 of its bytes, base64url.
    public struct Document: Sendable {
        let json: JSON
        /// One version of a document of the desk.
        public init(name: Bytes, mediaType: Bytes, digest: Bytes, version: Int64) {
            json = .members([
                ("media_type", .string(mediaType)), ("name", .string(name)), ("sha256", .string(digest)),
                ("version", .integer(version)),
            ])
        }
    }

    /// How near the movement is to the client's, in millionths.
    public struct Comparison: Sendable {
        let json: JSON
        /// - Parameter device: how well the model knows the device; `null` for one that it has learnt from.
        public init(isMatch: Bool, score: Int64, threshold: Int64, difference: Int64, device: JSON) {
            json = .members([
                ("device", device), ("difference", .integer(difference)), ("is_match", .bool(isMatch)),
                ("score", .integer(score)), ("threshold", .integer(threshold)), ("unit", .text("millionth")),
            ])
        }
    }

    /// How it was compared, and with what; digests are SHA-256, base64url.
    public struct Basis: Sendable {
        /// The name of the method.
        public var method: Bytes
        /// The digest of the model's file.
        public var model: Bytes
        /// The digest of its error rates.
        public var rates: Bytes
        /// The id of the template.
        public var template: Bytes
        /// When the template was made, in seconds since 1970.
        public var enrolled: Int64
        /// The enrolment that the template came from: its paper, its operator, its entry in the log.
        public var enrolment: JSON
        /// What the comparison rests on.
        public init(method: Bytes, model: Bytes, rates: Bytes, template: Bytes, enrolled: Int64, enrolment: JSON) {
            (self.method, self.model, self.rates) = (method, model, rates)
            (self.template, self.enrolled, self.enrolment) = (template, enrolled, enrolment)
        }
    }

    /// The evidence kept of the signing; digests are SHA-256, base64url.
    public struct Traces: Sendable {
        /// The digest of the picture.
        public var drawing: Bytes
        /// The digest of the capture.
        public var movement: Bytes
        /// The digest of the photograph, if one was taken.
        public var photograph: Bytes?
        /// Where the device was, if it was asked.
        public var place: JSON?
        /// What is kept beside the record.
        public init(drawing: Bytes, movement: Bytes, photograph: Bytes?, place: JSON?) {
            (self.drawing, self.movement, self.photograph, self.place) = (drawing, movement, photograph, place)
        }
    }

    /// The members of the record that are known when the client signs.
    public let facts: JSON

    /// The facts of a transaction whose client was identified by the operator.
    ///
    /// - Parameters:
    ///   - transaction: its id.
    ///   - publicURL: of the organisation.
    ///   - signed: when, in seconds since 1970.
    ///   - field: which field of the document was signed.
    ///   - device: what the pad says it is.
    public init(
        transaction: Bytes, publicURL: Bytes, signed: Int64, client: Client, before operator: Operator,
        document: Document, field: Bytes, device: Bytes, comparison: Comparison, basis: Basis, traces: Traces
    ) {
        var facts: [(String, JSON)] = [
            ("client", client.json), ("comparison", comparison.json), ("device", .string(device)),
            ("document", document.json), ("drawing", .string(traces.drawing)), ("enrolment", basis.enrolment),
            ("field", .string(field)), ("identified", .bool(true)), ("method", .string(basis.method)),
            ("model", .string(basis.model)), ("movement", .string(traces.movement)), ("operator", `operator`.json),
            ("public_url", .string(publicURL)), ("rates", .string(basis.rates)), ("signed_at", .integer(signed)),
            ("template", .members([("enrolled", .integer(basis.enrolled)), ("id", .string(basis.template))])),
            ("transaction", .string(transaction)),
        ]
        if let place = traces.place { facts.append(("place", place)) }
        if let photograph = traces.photograph { facts.append(("photograph", .string(photograph))) }
        self.facts = .members(facts)
    }

    /// The facts as they were stored.
    ///
    /// Those of earlier versions may lack members, and stay as they are.
    public init(facts: JSON) { self.facts = facts }

    /// The record of a decision.
    ///
    /// - Parameters:
    ///   - decision: confirmed or refused.
    ///   - reason: the operator's words, or the organisation's (``SigningLifecycle/Refusal``); empty when confirmed.
    ///   - time: seconds since 1970.
    public func decided(_ decision: SigningLifecycle.State, reason: Bytes, at time: Int64) -> JSON {
        let word =
            switch decision {
            case .pending: "pending"
            case .confirmed: "confirmed"
            case .refused: "refused"
            }
        let added: [(String, JSON)] = [
            ("decided_at", .integer(time)), ("decision", .text(word)), ("reason", .string(reason)),
        ]
        return .object((facts.members ?? []) + (JSON.members(added).members ?? []))
    }

    /// Which field was signed.
    public var field: Bytes { facts["field"]?.string ?? [] }
    /// How it was compared.
    public var method: Bytes { facts["method"]?.string ?? [] }
    /// The id of the template that was compared with.
    public var template: Bytes { facts["template"]?["id"]?.string ?? [] }
    /// SHA-256 of the bytes that were signed, base64url.
    public var digest: Bytes { facts["document"]?["sha256"]?.string ?? [] }
}
