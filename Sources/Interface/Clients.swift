/// How one signature was compared with a person's hand.
public struct Comparison: Codable, Sendable, Equatable {
    /// The comparison score in millionths: the larger, the more likely the signature is forged.
    public var score: Int64
    /// The largest score that is accepted, in millionths.
    public var threshold: Int64
    /// `score` less `threshold`: at most 0 for a match.
    public var difference: Int64
    public var isMatch: Bool
    /// One plain sentence for the desk.
    public var sentence: String
    /// Whether the model knows such devices; `nil` for comparisons of before that was told.
    public var device: ComparedDevice?

    public init(
        score: Int64, threshold: Int64, difference: Int64, isMatch: Bool, sentence: String, device: ComparedDevice?
    ) {
        self.score = score
        self.threshold = threshold
        self.difference = difference
        self.isMatch = isMatch
        self.sentence = sentence
        self.device = device
    }
}

/// Whether a model has learnt from devices like the one that recorded a signature, as far as the recording tells.
public struct ComparedDevice: Codable, Sendable, Equatable {
    /// What the model has learnt from.
    public enum Fit: String, Codable, Sendable, CaseIterable {
        /// A device of the same kind, rate and with pressure or without, as this one.
        case alike
        /// Another kind of device: the threshold and error rates were not measured on it.
        case other
        /// The model does not say.
        case unknown
    }

    public var fit: Fit
    /// One plain sentence for the desk and for reports.
    public var sentence: String

    public init(fit: Fit, sentence: String) {
        self.fit = fit
        self.sentence = sentence
    }
}

/// A client as the desk lists them.
public struct Client: Codable, Sendable, Equatable {
    public var id: String
    public var givenName: String
    public var familyName: String
    /// What they sign with.
    public var tool: SignatureTool
    /// Whether the signatures of a second visit are still to be taken.
    public var needsSecondSitting: Bool
    public var created: Int64
    /// When their present template was made.
    public var enrolled: Int64
    public var signings: Int64
    public var lastSigning: Int64?
    /// The identity number; only told where one client is asked for.
    public var number: String?
    /// Which paper the operator has seen; only told where one client is asked for.
    public var paper: String?
    /// From when on the signatures of a second visit can be taken; `nil` when they were.
    public var secondSittingFrom: Int64?
    /// Whether another visit is needed because the template has followed the hand as far as it may.
    public var hasChangedHand: Bool
    /// Their values in the fields that the organisation asks for; only sent where one client is asked for.
    public var fields: [ClientFieldValue]?

    public init(
        id: String, givenName: String, familyName: String, tool: SignatureTool, needsSecondSitting: Bool,
        created: Int64, enrolled: Int64, signings: Int64, lastSigning: Int64?, number: String? = nil,
        paper: String? = nil, secondSittingFrom: Int64? = nil, hasChangedHand: Bool = false,
        fields: [ClientFieldValue]? = nil
    ) {
        self.fields = fields
        self.id = id
        self.givenName = givenName
        self.familyName = familyName
        self.tool = tool
        self.needsSecondSitting = needsSecondSitting
        self.created = created
        self.enrolled = enrolled
        self.signings = signings
        self.lastSigning = lastSigning
        self.number = number
        self.paper = paper
        self.secondSittingFrom = secondSittingFrom
        self.hasChangedHand = hasChangedHand
    }
}

/// What a signature is written with.
public enum SignatureTool: String, Codable, Sendable, CaseIterable { case pen, touch, mouse }

/// The client to look for.
///
/// It goes in a body, because an identity number must not be part of an address.
public struct ClientNumber: Codable, Sendable {
    public var number: String
    public init(number: String) { self.number = number }
}

/// A new client: who they are, as the operator has checked, and how they write.
public struct NewClient: Codable, Sendable {
    /// Their identity number, 1 to 64 bytes; case, spaces, dots and hyphens do not count.
    public var number: String
    public var givenName: String
    public var familyName: String
    /// Which paper the operator has seen: 1 to 200 bytes.
    public var paper: String
    public var circumstances: Circumstances
    public var signatures: NewSignatures
    /// Their values in the fields that the organisation asks for (`ClientField`); required ones must be there.
    public var fields: [ClientFieldValue]?

    public init(
        number: String, givenName: String, familyName: String, paper: String, circumstances: Circumstances,
        signatures: NewSignatures, fields: [ClientFieldValue]? = nil
    ) {
        self.fields = fields
        self.number = number
        self.givenName = givenName
        self.familyName = familyName
        self.paper = paper
        self.circumstances = circumstances
        self.signatures = signatures
    }
}

/// Signatures for a template, and one more that must be like them.
public struct NewSignatures: Codable, Sendable {
    /// Five, each the text of a capture (`countersign-capture-1`).
    public var references: [String]
    /// The check signature, the same.
    public var check: String

    public init(references: [String], check: String) {
        self.references = references
        self.check = check
    }
}

/// A client signs for a new template; the old one is destroyed.
public struct Reenrolment: Codable, Sendable {
    public var paper: String
    /// Why: 1 to 500 bytes.
    public var reason: String
    public var circumstances: Circumstances
    public var signatures: NewSignatures

    public init(paper: String, reason: String, circumstances: Circumstances, signatures: NewSignatures) {
        self.paper = paper
        self.reason = reason
        self.circumstances = circumstances
        self.signatures = signatures
    }
}

/// The signatures of a second visit.
public struct SecondSitting: Codable, Sendable {
    /// Which paper the operator has seen this time: 1 to 200 bytes.
    public var paper: String
    public var circumstances: Circumstances
    /// Three, each the text of a capture.
    public var signatures: [String]

    public init(paper: String, circumstances: Circumstances, signatures: [String]) {
        self.paper = paper
        self.circumstances = circumstances
        self.signatures = signatures
    }
}

/// Another name of a client.
public struct ClientChange: Codable, Sendable {
    public var givenName: String
    public var familyName: String
    /// Which paper says it: 1 to 200 bytes.
    public var paper: String
    /// Why: 1 to 500 bytes.
    public var reason: String
    public var circumstances: Circumstances

    public init(givenName: String, familyName: String, paper: String, reason: String, circumstances: Circumstances) {
        self.givenName = givenName
        self.familyName = familyName
        self.paper = paper
        self.reason = reason
        self.circumstances = circumstances
    }
}

/// A client, and the receipt of what was done.
public struct ClientAct: Codable, Sendable {
    public var client: Client
    /// How the check signature compared; `nil` when there was none.
    public var comparison: Comparison?
    public var receipt: Receipt

    public init(client: Client, comparison: Comparison?, receipt: Receipt) {
        self.client = client
        self.comparison = comparison
        self.receipt = receipt
    }
}

/// What the organisation allows at its desks.
public struct DeskSettings: Codable, Sendable, Equatable {
    /// Whether templates slowly follow accepted signatures.
    public var learns: Bool
    /// Whether the desk may ask for the device's place.
    public var takesPlace: Bool
    /// Whether the desk may take a photograph of the signer, who sees and allows it.
    public var takesPhotographs: Bool
    /// Told, not set: whether raw movements can be kept, because a forensic key was made.
    public var hasForensicKey: Bool?
    /// Told where they were just changed: that this is in the log.
    public var receipt: Receipt?

    public init(
        learns: Bool, takesPlace: Bool, takesPhotographs: Bool, hasForensicKey: Bool? = nil, receipt: Receipt? = nil
    ) {
        self.learns = learns
        self.takesPlace = takesPlace
        self.takesPhotographs = takesPhotographs
        self.hasForensicKey = hasForensicKey
        self.receipt = receipt
    }
}

/// A person who works at a desk, as the main administrator sees them.
public struct Operator: Codable, Sendable {
    public var account: Account
    /// Since when they may not sign in.
    public var blocked: Int64?
    /// Why.
    public var reason: String?
    /// Transactions that they have taken.
    public var signings: Int64
    /// Of the entry about blocking or unblocking the operator; only in the answer to that act.
    public var receipt: Receipt?

    public init(account: Account, blocked: Int64?, reason: String?, signings: Int64, receipt: Receipt? = nil) {
        self.account = account
        self.receipt = receipt
        self.blocked = blocked
        self.reason = reason
        self.signings = signings
    }
}

/// The public half of a key to which raw movements are sealed; the private half is kept offline.
public struct ForensicKey: Codable, Sendable {
    /// A P-256 point, base64url.
    public var key: String
    public init(key: String) { self.key = key }
}
