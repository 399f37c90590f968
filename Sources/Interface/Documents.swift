/// A place in a status list (Token Status List).
public struct StatusReference: Codable, Sendable, Equatable {
    public var uri: String
    public var index: Int
    public init(uri: String, index: Int) {
        self.uri = uri
        self.index = index
    }
}

/// A type of document that can be asked for.
public struct DocumentType: Codable, Sendable {
    /// What people call it in a language other than English.
    public struct Label: Codable, Sendable, Equatable {
        /// A language tag such as `de`.
        public var language: String
        public var text: String
        public init(language: String, text: String) { (self.language, self.text) = (language, text) }
    }

    /// One typed field.
    public struct Field: Codable, Sendable {
        public enum Kind: String, Codable, Sendable, CaseIterable { case text, number, date, list }
        public var name: String
        public var label: String
        public var kind: Kind
        /// Whether the issuer must fill it in; hiding it is then visible as "not disclosed".
        public var isMandatory: Bool
        /// In other languages.
        public var labels: [Label]?
        public init(name: String, label: String, kind: Kind, isMandatory: Bool, labels: [Label]? = nil) {
            self.name = name
            self.label = label
            self.labels = labels
            self.kind = kind
            self.isMandatory = isMandatory
        }
    }
    /// `transcript`, `degree`, `employment`, `generic`; `identity` is issued by the face-to-face check only.
    public var id: String
    public var title: String
    public var fields: [Field]
    /// The title in other languages.
    public var titles: [Label]?
    public init(id: String, title: String, fields: [Field], titles: [Label]? = nil) {
        self.id = id
        self.title = title
        self.titles = titles
        self.fields = fields
    }
}

/// Asks for a document.
public struct NewDocumentRequest: Codable, Sendable {
    public var type: String
    /// Words for the administrator, at most 500 bytes.
    public var note: String
    public init(type: String, note: String) {
        self.type = type
        self.note = note
    }
}

/// A request for a document.
public struct DocumentRequest: Codable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable { case pending, accepted, cancelled, issued }
    public var id: String
    public var type: String
    public var note: String
    public var state: State
    public var member: Account
    /// Who handles it: accepted by, or assigned to.
    public var administrator: Account?
    /// Why it was cancelled.
    public var reason: String?
    public var created: Int64
    public var changed: Int64
    /// The document, once issued.
    public var document: String?
    /// The id of the member's device that asked, and that the document is issued to while it is not revoked.
    public var device: String?

    public init(
        id: String, type: String, note: String, state: State, member: Account, administrator: Account?,
        reason: String?, created: Int64, changed: Int64, document: String?, device: String? = nil
    ) {
        self.id = id
        self.type = type
        self.note = note
        self.state = state
        self.member = member
        self.administrator = administrator
        self.reason = reason
        self.created = created
        self.changed = changed
        self.document = document
        self.device = device
    }
}

/// Hands a request to an administrator.
public struct Assignment: Codable, Sendable {
    /// The administrator's username.
    public var username: String
    public init(username: String) { self.username = username }
}

/// All that an administrator's wallet needs to sign: the recipient, and where the status will be.
public struct IssuancePlan: Codable, Sendable {
    public var holder: Account
    public var device: Device
    public var status: StatusReference
    /// From the device back to the holder's first: who endorsed whom.
    ///
    /// A wallet that met the holder with an earlier device follows it to the keys that it knows.
    public var endorsements: [DeviceEndorsement]

    public init(holder: Account, device: Device, status: StatusReference, endorsements: [DeviceEndorsement]) {
        self.holder = holder
        self.device = device
        self.status = status
        self.endorsements = endorsements
    }
}

/// A signed and sealed document on its way to its holder.
///
/// The server can read none of it but this envelope.
public struct Issuance: Codable, Sendable {
    /// The sealed package, a compact JWE.
    public var sealed: String
    /// SHA-256 of the issuer-signed JWT, base64url.
    public var credentialDigest: String
    /// A `Statement.issuance` signed by the administrator's authority key.
    public var statement: String
    public init(sealed: String, credentialDigest: String, statement: String) {
        self.sealed = sealed
        self.credentialDigest = credentialDigest
        self.statement = statement
    }
}

/// A document in a member's wallet, or in the list of an administrator who issued it.
public struct DocumentInfo: Codable, Sendable {
    public var id: String
    public var type: String
    public var holder: Account
    public var issuer: Account
    public var device: String
    public var issued: Int64
    /// Of the sealed package, in bytes.
    public var size: Int
    public var status: StatusReference
    public var credentialDigest: String
    public var revoked: Int64?
    public var reason: String?
    public var receipt: Receipt

    public init(
        id: String, type: String, holder: Account, issuer: Account, device: String, issued: Int64, size: Int,
        status: StatusReference, credentialDigest: String, revoked: Int64?, reason: String?, receipt: Receipt
    ) {
        self.id = id
        self.type = type
        self.holder = holder
        self.issuer = issuer
        self.device = device
        self.issued = issued
        self.size = size
        self.status = status
        self.credentialDigest = credentialDigest
        self.revoked = revoked
        self.reason = reason
        self.receipt = receipt
    }
}

/// A presentation to be fetched by link.
///
/// It is encrypted under a key that only the link's fragment holds.
public struct NewShare: Codable, Sendable {
    /// AES-256-GCM: nonce, ciphertext, tag; base64url.
    public var sealed: String
    /// For how many seconds the link works.
    public var lifetime: Int64
    /// How often it may be opened.
    public var maximumViews: Int
    /// The document it shows, for the holder's own list.
    public var document: String
    /// SHA-256 of "countersign share key v1" and the key, base64url.
    ///
    /// A person with another key is told so, and no opening is spent.
    public var keyCheck: String?
    public init(sealed: String, lifetime: Int64, maximumViews: Int, document: String, keyCheck: String? = nil) {
        self.sealed = sealed
        self.lifetime = lifetime
        self.maximumViews = maximumViews
        self.document = document
        self.keyCheck = keyCheck
    }
}

/// A shared link, as its owner sees it.
///
/// `code` is there only in the answer that made it.
public struct Share: Codable, Sendable {
    public var id: String
    public var document: String
    public var created: Int64
    public var expires: Int64
    public var views: Int
    public var maximumViews: Int
    public var stopped: Int64?
    /// True if that was done by five wrong codes.
    public var stoppedByWrongCodes: Bool?
    public var code: String?

    public init(
        id: String, document: String, created: Int64, expires: Int64, views: Int, maximumViews: Int, stopped: Int64?,
        stoppedByWrongCodes: Bool? = nil, code: String? = nil
    ) {
        self.id = id
        self.document = document
        self.created = created
        self.expires = expires
        self.views = views
        self.maximumViews = maximumViews
        self.stopped = stopped
        self.stoppedByWrongCodes = stoppedByWrongCodes
        self.code = code
    }
}

/// Opens a shared link.
public struct ShareOpening: Codable, Sendable {
    public var code: String
    /// As in ``NewShare/keyCheck``, of the key that the opener has.
    public var keyCheck: String?
    /// A random text of the opener's, 22 to 43 characters.
    ///
    /// For ten minutes the same text opens the link again without spending another opening, in case the answer was lost
    /// or the page was reloaded.
    public var attempt: String?
    public init(code: String, keyCheck: String? = nil, attempt: String? = nil) {
        self.code = code
        self.keyCheck = keyCheck
        self.attempt = attempt
    }
}

/// Gives an opening of a shared link back, because nothing could be shown.
public struct ShareAttempt: Codable, Sendable {
    /// As in ``ShareOpening/attempt``.
    public var attempt: String
    public init(attempt: String) { self.attempt = attempt }
}

/// The answer of a shared link to anyone who has its code.
public struct SharedPresentation: Codable, Sendable {
    /// AES-256-GCM under the key in the link's fragment; base64url.
    public var sealed: String
    public var viewsLeft: Int
    public init(sealed: String, viewsLeft: Int) {
        self.sealed = sealed
        self.viewsLeft = viewsLeft
    }
}
