/// The operator's account of the moment at which signatures were taken.
public struct Circumstances: Codable, Sendable, Equatable {
    /// That the operator has compared the person with the paper: nothing is taken without it.
    public var identified: Bool
    /// What the page knows about the device: 0 to 300 bytes.
    public var device: String
    /// Only with the person's consent, and if the organisation allows it.
    public var place: DevicePlace?

    public init(identified: Bool, device: String, place: DevicePlace? = nil) {
        self.identified = identified
        self.device = device
        self.place = place
    }
}

/// What was done with a client.
public enum ClientHistory {
    /// What was done.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case enrolled, reenrolled, renamed
        case secondSitting = "second_sitting"
        /// The client's values in the organisation's own fields; nobody checks a paper for these.
        case fieldsChanged = "fields_changed"
    }

    /// One act, in which later ones change nothing.
    public struct Act: Codable, Sendable, Equatable {
        public var kind: Kind
        public var time: Int64
        public var operatorID: String
        /// The operator's name on that day.
        public var operatorName: String
        /// Which paper was seen; empty where none is asked for.
        public var paper: String
        /// The reason; empty where none is asked for.
        public var reason: String
        /// Whether the operator said that they had compared the person with the paper.
        public var identified: Bool
        /// What the page said of its device.
        public var device: String
        public var place: DevicePlace?
        /// The labels of the fields that were changed, as they were on that day; `nil` for other acts.
        public var fields: [String]?
        /// Its entry in the log.
        public var logIndex: Int64

        public init(
            kind: Kind, time: Int64, operatorID: String, operatorName: String, paper: String, reason: String,
            identified: Bool, device: String, place: DevicePlace?, fields: [String]? = nil, logIndex: Int64
        ) {
            self.kind = kind
            self.time = time
            self.operatorID = operatorID
            self.operatorName = operatorName
            self.paper = paper
            self.reason = reason
            self.identified = identified
            self.device = device
            self.place = place
            self.fields = fields
            self.logIndex = logIndex
        }
    }
}

/// Something that was tried at the desk and left no client and no transaction.
public struct DeskAttempt: Codable, Sendable, Equatable {
    /// What was tried.
    public enum Act: String, Codable, Sendable, CaseIterable { case enrolment, reenrolment, sitting, signing, handover }

    /// Why it was refused.
    public enum Why: String, Codable, Sendable, CaseIterable {
        case unreadable, unlike, recording
        case checkFailed = "check_failed"
        case otherTool = "other_tool"
        case otherDocument = "other_document"
        case otherTemplate = "other_template"
        case otherCapture = "other_capture"
        case tooMany = "too_many"
        case badTicket = "bad_ticket"
    }

    public var id: String
    public var act: Act
    public var why: Why
    /// The client's id; `nil` for a person who is not registered.
    public var client: String?
    public var clientName: String?
    public var operatorID: String
    public var operatorName: String
    public var time: Int64
    /// When the last of `count` was.
    public var last: Int64
    /// How many: within an hour, tries beyond a limit are counted in the newest attempt.
    public var count: Int64

    public init(
        id: String, act: Act, why: Why, client: String?, clientName: String?, operatorID: String,
        operatorName: String, time: Int64, last: Int64, count: Int64
    ) {
        self.id = id
        self.act = act
        self.why = why
        self.client = client
        self.clientName = clientName
        self.operatorID = operatorID
        self.operatorName = operatorName
        self.time = time
        self.last = last
        self.count = count
    }
}
