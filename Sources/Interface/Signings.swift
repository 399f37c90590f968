/// A document of the desk's workspace.
public struct WorkspaceDocument: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable, CaseIterable { case text, pdf }
    public var id: String
    public var name: String
    public var kind: Kind
    /// Counts from 1; every change makes the next.
    public var version: Int64
    public var changed: Int64
    /// Who changed it last.
    public var changedBy: Account
    /// For `text`, the text (`countersign-text-1` or `-2`), where one document is asked for.
    public var text: String?

    public init(
        id: String, name: String, kind: Kind, version: Int64, changed: Int64, changedBy: Account, text: String? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.version = version
        self.changed = changed
        self.changedBy = changedBy
        self.text = text
    }
}

/// A new or changed document.
public struct WorkspaceContent: Codable, Sendable {
    public var name: String
    /// JSON text of the form `countersign-text-1`, or `-2` with a layout; either this or `pdf`.
    public var text: String?
    /// A PDF, base64url.
    public var pdf: String?
    /// For a change: the version that was changed, so no one's work is overwritten unseen.
    public var version: Int64?

    public init(name: String, text: String? = nil, pdf: String? = nil, version: Int64? = nil) {
        self.name = name
        self.text = text
        self.pdf = pdf
        self.version = version
    }
}

/// The client for whom a document is filled in.
public struct RenderingRequest: Codable, Sendable {
    /// The client's id.
    public var client: String
    public init(client: String) { self.client = client }
}

/// A document exactly as it will be signed.
public struct Rendering: Codable, Sendable {
    public var name: String
    /// `text/html` or `application/pdf`.
    public var mediaType: String
    /// The bytes, base64url.
    public var content: String
    /// SHA-256 of the bytes, base64url.
    public var digest: String
    /// The version that was filled in.
    public var version: Int64
    /// Lets this session have this client sign these bytes, once.
    public var ticket: String
    /// Until when the ticket holds, in seconds since 1970.
    public var expires: Int64

    public init(
        name: String, mediaType: String, content: String, digest: String, version: Int64, ticket: String,
        expires: Int64
    ) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
        self.digest = digest
        self.version = version
        self.ticket = ticket
        self.expires = expires
    }
}

/// Where a device says it is.
public struct DevicePlace: Codable, Sendable, Equatable {
    /// In millionths of a degree.
    public var latitude: Int64
    public var longitude: Int64
    /// Radius, in metres.
    public var accuracy: Int64

    public init(latitude: Int64, longitude: Int64, accuracy: Int64) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }
}

/// A client signs a document.
public struct NewSigning: Codable, Sendable {
    /// The client's id.
    public var client: String
    /// The workspace document's id.
    public var document: String
    /// The digest that the desk and the client have seen (`Rendering.digest`).
    public var digest: String
    /// The one-time ticket that came with the bytes (`Rendering.ticket`).
    public var ticket: String
    /// That the operator has made sure who signs: nobody signs without it.
    public var identified: Bool
    /// What is signed there: "Signature of the customer"; 1 to 200 bytes.
    public var field: String
    /// The text of a capture.
    public var capture: String
    /// What the page knows about the device: 0 to 300 bytes.
    public var device: String
    /// Only with the signer's consent, and if the organisation allows it.
    public var place: DevicePlace?
    /// A JPEG, base64url, at most 256 KiB; only with the signer's consent, and if the organisation allows it.
    public var photograph: String?

    public init(
        client: String, document: String, digest: String, ticket: String, identified: Bool, field: String,
        capture: String, device: String, place: DevicePlace? = nil, photograph: String? = nil
    ) {
        self.client = client
        self.document = document
        self.digest = digest
        self.ticket = ticket
        self.identified = identified
        self.field = field
        self.capture = capture
        self.device = device
        self.place = place
        self.photograph = photograph
    }
}

/// A transaction: one signature on one document, and what became of it.
public struct Signing: Codable, Sendable, Equatable {
    /// `pending`: it matches, and the operator has not decided; `refused`: by the comparison or by the operator.
    public enum State: String, Codable, Sendable, CaseIterable { case pending, confirmed, refused, lapsed }
    public var id: String
    public var state: State
    public var client: String
    public var clientName: String
    public var operatorID: String
    public var operatorName: String
    public var documentName: String
    public var created: Int64
    public var decided: Int64?
    /// Whether the signature is like the client's.
    public var isMatch: Bool
    /// The figures; this and all below only where one transaction is asked for, and until the client is erased.
    public var comparison: Comparison?
    /// SHA-256 of the bytes that were signed, base64url.
    public var digest: String?
    /// The signature as a picture, SVG.
    public var drawing: String?
    /// What was signed there.
    public var field: String?
    /// Why it was refused.
    public var reason: String?
    /// With what the signature was compared.
    public var method: String?
    /// The enrolment that it rests on.
    public var enrolment: SigningEnrolment?
    /// The log's receipt, once decided.
    public var receipt: Receipt?

    public init(
        id: String, state: State, client: String, clientName: String, operatorID: String, operatorName: String,
        documentName: String, created: Int64, decided: Int64?, isMatch: Bool, comparison: Comparison? = nil,
        digest: String? = nil, drawing: String? = nil, field: String? = nil, reason: String? = nil,
        method: String? = nil, enrolment: SigningEnrolment? = nil, receipt: Receipt? = nil
    ) {
        self.id = id
        self.state = state
        self.client = client
        self.clientName = clientName
        self.operatorID = operatorID
        self.operatorName = operatorName
        self.documentName = documentName
        self.created = created
        self.decided = decided
        self.isMatch = isMatch
        self.comparison = comparison
        self.digest = digest
        self.drawing = drawing
        self.field = field
        self.reason = reason
        self.method = method
        self.enrolment = enrolment
        self.receipt = receipt
    }
}

/// The enrolment that a transaction rests on, as its record has it.
public struct SigningEnrolment: Codable, Sendable, Equatable {
    /// When the template was made.
    public var time: Int64
    /// Which paper was seen then.
    public var paper: String
    /// The person who made it; `nil` where that was not recorded.
    public var operatorName: String?
    /// Its entry in the log; `nil` where none names it.
    public var logIndex: Int64?

    public init(time: Int64, paper: String, operatorName: String? = nil, logIndex: Int64? = nil) {
        self.time = time
        self.paper = paper
        self.operatorName = operatorName
        self.logIndex = logIndex
    }
}

/// The desk at a glance.
public struct DeskOverview: Codable, Sendable {
    /// One day's transactions.
    public struct Day: Codable, Sendable, Equatable {
        /// The first second of the day, UTC.
        public var day: Int64
        public var confirmed: Int64
        public var refused: Int64

        public init(day: Int64, confirmed: Int64, refused: Int64) {
            self.day = day
            self.confirmed = confirmed
            self.refused = refused
        }
    }
    public var clients: Int64
    public var documents: Int64
    public var operators: Int64
    public var signings: Int64
    /// Since midnight, UTC.
    public var today: Int64
    /// The last 30 days, the oldest first, none left out.
    public var days: [Day]
    /// The newest ten.
    public var latest: [Signing]

    public init(
        clients: Int64, documents: Int64, operators: Int64, signings: Int64, today: Int64, days: [Day],
        latest: [Signing]
    ) {
        self.clients = clients
        self.documents = documents
        self.operators = operators
        self.signings = signings
        self.today = today
        self.days = days
        self.latest = latest
    }
}

/// Signatures are to be written on another device: a phone that scans a code.
public struct NewHandover: Codable, Sendable {
    /// What the signer reads there, 1 to 200 bytes.
    public var title: String
    /// How many signatures, 1 to 6.
    public var count: Int64
    /// The ticket of the document that is shown, for one signature; then it takes no other capture.
    public var ticket: String?

    public init(title: String, count: Int64, ticket: String? = nil) {
        self.title = title
        self.count = count
        self.ticket = ticket
    }
}

/// A hand-over, for the desk that opened it.
public struct Handover: Codable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable { case open, opened, done, expired }
    public var id: String
    public var state: State
    /// The address that the other device opens, with the code in its fragment; only told when it is made.
    public var address: String?
    public var expires: Int64
    /// The captures, once done, until the hand-over is forgotten or over.
    public var captures: [String]?
    /// The other device's description of itself, once done.
    public var device: String?

    public init(
        id: String, state: State, address: String? = nil, expires: Int64, captures: [String]? = nil,
        device: String? = nil
    ) {
        self.id = id
        self.state = state
        self.address = address
        self.expires = expires
        self.captures = captures
        self.device = device
    }
}

/// The code of a hand-over, from the other device.
public struct HandoverCode: Codable, Sendable {
    public var code: String
    public init(code: String) { self.code = code }
}

/// What the signer is told there.
public struct HandoverTask: Codable, Sendable {
    public var organisation: String
    public var title: String
    public var count: Int64
    public var expires: Int64
    /// Whether a document is signed, which can be read there.
    public var hasDocument: Bool

    public init(organisation: String, title: String, count: Int64, expires: Int64, hasDocument: Bool) {
        self.organisation = organisation
        self.title = title
        self.count = count
        self.expires = expires
        self.hasDocument = hasDocument
    }
}

/// The document that is signed there, byte for byte as the desk shows it.
public struct HandoverDocument: Codable, Sendable {
    public var name: String
    /// `text/html` or `application/pdf`.
    public var mediaType: String
    /// The bytes, base64url.
    public var content: String

    public init(name: String, mediaType: String, content: String) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }
}

/// What was written there.
public struct HandoverResult: Codable, Sendable {
    public var code: String
    public var captures: [String]
    public var device: String

    public init(code: String, captures: [String], device: String) {
        self.code = code
        self.captures = captures
        self.device = device
    }
}

/// A raw movement, sealed to the forensic key, and the receipt of its release.
public struct SealedMovement: Codable, Sendable {
    /// Compact JWE.
    public var sealed: String
    public var receipt: Receipt

    public init(sealed: String, receipt: Receipt) {
        self.sealed = sealed
        self.receipt = receipt
    }
}
