/// A new device asks its account's other devices for their word, so that it can answer a service too.
public struct NewApprovalHandover: Codable, Sendable {
    /// The name of the device, as its enrolment has it: 1 to 100 bytes.
    public var name: String
    /// The key that it made for this service, an uncompressed point, base64url.
    public var key: String
    public init(name: String, key: String) {
        self.name = name
        self.key = key
    }
}

/// An older device is about to compare the digits: it says with which key it would sign.
public struct ApprovalHandoverClaim: Codable, Sendable {
    /// The older device's key for this service, an uncompressed point, base64url.
    public var by: String
    public init(by: String) { self.by = by }
}

/// An older device gives its word for a new one.
public struct ApprovalHandoverWord: Codable, Sendable {
    /// As in `ApprovalHandoverClaim`.
    public var by: String
    /// The signature over the bytes that the new device signs too, 64 bytes in base64url.
    public var handover: String
    public init(by: String, handover: String) {
        self.by = by
        self.handover = handover
    }
}

/// How far a new device's request for another device's word has come.
public enum ApprovalHandoverState: String, Codable, Sendable, CaseIterable {
    /// No other device looks at it yet.
    case asked
    /// An older device shows its digits: the person compares them with those of the new device.
    case claimed
    /// The older device has signed.
    case agreed
    /// One of the account's devices refused it: this offer is handed over no more.
    case denied
}

/// A new device's request, as that device sees it.
public struct OwnApprovalHandover: Codable, Sendable, Equatable {
    public var state: ApprovalHandoverState
    /// The key of the older device, once it looks at the request.
    public var by: String?
    /// The name of the older device.
    public var device: String?
    /// Its signature, once it has signed.
    public var handover: String?
    public init(state: ApprovalHandoverState, by: String? = nil, device: String? = nil, handover: String? = nil) {
        self.state = state
        self.by = by
        self.device = device
        self.handover = handover
    }
}

/// A new device's request, as the account's other devices see it.
public struct ApprovalHandover: Codable, Sendable, Equatable {
    /// The id of the offer.
    public var id: String
    /// The service's id, most often its domain.
    public var domain: String
    /// The service's name.
    public var service: String
    /// What the new device calls itself.
    public var name: String
    public var state: ApprovalHandoverState
    /// When the service began.
    public var created: Int64
    public var expires: Int64
    /// The service's signed offer, Bencode in base64url.
    public var message: String
    /// The names of the devices that can give their word.
    public var devices: [String]
    /// The keys of the device that reads this with which it can give its word: none that was removed.
    public var own: [String]
    /// The key of the device that looks at it, if one does.
    public var by: String?
    /// The new device's key, for the device that looks at it alone: nobody else learns which digits to imitate.
    public var key: String?
    public init(
        id: String, domain: String, service: String, name: String, state: ApprovalHandoverState, created: Int64,
        expires: Int64, message: String, devices: [String], own: [String], by: String? = nil, key: String? = nil
    ) {
        self.id = id
        self.domain = domain
        self.service = service
        self.name = name
        self.state = state
        self.created = created
        self.expires = expires
        self.message = message
        self.devices = devices
        self.own = own
        self.by = by
        self.key = key
    }
}
