/// How somebody who has lost every device that answers a service gets back in.
public struct ApprovalRecovery: Codable, Sendable, Equatable {
    /// A waiting time that stands for a device's word once it is over.
    public struct Wait: Codable, Sendable, Equatable {
        /// The account's device that began it.
        public var device: String
        public var started: Int64
        /// From when on a device is enrolled without another one's word.
        public var opens: Int64
        /// Until when.
        public var closes: Int64
        public init(device: String, started: Int64, opens: Int64, closes: Int64) {
            self.device = device
            self.started = started
            self.opens = opens
            self.closes = closes
        }
    }

    /// How many recovery codes have not been used.
    public var codes: Int
    /// From when on they work, if there are any: a thief who makes some gains no time.
    public var codesFrom: Int64?
    /// The waiting time that was begun, if one was.
    public var wait: Wait?
    public init(codes: Int, codesFrom: Int64? = nil, wait: Wait? = nil) {
        self.codes = codes
        self.codesFrom = codesFrom
        self.wait = wait
    }
}

/// New recovery codes, in this answer only; those before end.
public struct ApprovalRecoveryCodes: Codable, Sendable {
    /// Each is used once: three groups of four characters.
    public var codes: [String]
    /// From when on they work.
    public var from: Int64
    public var receipt: Receipt
    public init(codes: [String], from: Int64, receipt: Receipt) {
        self.codes = codes
        self.from = from
        self.receipt = receipt
    }
}

/// A device takes a service's offer.
public struct TakenApprovalOffer: Codable, Sendable {
    /// Bencode in base64url (`docs/approvals.md`, "Enrolment").
    public var message: String
    /// Instead of another device's word, when all are lost; used up by being taken.
    public var recoveryCode: String?
    public init(message: String, recoveryCode: String? = nil) {
        self.message = message
        self.recoveryCode = recoveryCode
    }
}
