/// Four blinded elements, one for each PIN slot: fresh guard keys evaluate them, once.
public struct NewVaultEnrolment: Codable, Sendable {
    /// 49 bytes each; random for slots that nobody uses.
    public var blinded: [String]
    public init(blinded: [String]) { self.blinded = blinded }
}

/// Fresh guard keys, which count once their slots are written.
public struct VaultEnrolment: Codable, Sendable {
    /// What a fresh key makes of a blinded element.
    public struct Evaluation: Codable, Sendable, Equatable {
        /// 49 bytes.
        public var element: String
        /// That the element was made with `key`, 96 bytes.
        public var proof: String
        /// The public half of the slot's guard key, 49 bytes.
        public var key: String
        public init(element: String, proof: String, key: String) {
            self.element = element
            self.proof = proof
            self.key = key
        }
    }

    /// 32 hexadecimal digits.
    public var enrolment: String
    public var expires: Int64
    /// Four, in the order of the slots.
    public var evaluations: [Evaluation]
    public init(enrolment: String, expires: Int64, evaluations: [Evaluation]) {
        self.enrolment = enrolment
        self.expires = expires
        self.evaluations = evaluations
    }
}

/// A PIN, blinded: the server cannot see which.
public struct NewVaultTry: Codable, Sendable {
    /// 49 bytes.
    public var blinded: String
    public init(blinded: String) { self.blinded = blinded }
}

/// What the guard makes of one try, for all four slots.
public struct VaultTry: Codable, Sendable {
    /// What a slot's guard key makes of the blinded PIN.
    public struct Evaluation: Codable, Sendable, Equatable {
        /// 49 bytes; empty if the slot cannot be used.
        public var element: String
        /// 96 bytes (RFC 9497 section 2.2.1); empty if the slot cannot be used.
        public var proof: String
        public init(element: String, proof: String) {
            self.element = element
            self.proof = proof
        }
    }

    /// 32 hexadecimal digits.
    public var `try`: String
    /// Until then it can be proved.
    public var expires: Int64
    /// Four, in the order of the slots.
    public var evaluations: [Evaluation]
    public init(try: String, expires: Int64, evaluations: [Evaluation]) {
        self.try = `try`
        self.expires = expires
        self.evaluations = evaluations
    }
}

/// That a try was of a slot's PIN: a proof for each that it opened, random bytes for the others.
public struct VaultTryProof: Codable, Sendable {
    /// Four of 128 bytes.
    public var proofs: [String]
    public init(proofs: [String]) { self.proofs = proofs }
}
