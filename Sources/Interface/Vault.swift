/// What opens a vault without a PIN; the server knows the kind, and nothing of what is inside.
public struct VaultSlot: Codable, Sendable, Equatable {
    /// How a slot is opened.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// By the PRF output of a passkey.
        case passkey
        /// By printed words.
        case recovery
        /// By the key of a device.
        case device
        /// By another account, after a waiting time.
        case contact
        /// By two of three shares.
        case share
    }

    /// 32 hexadecimal digits, chosen by the wallet.
    public var id: String
    public var kind: Kind
    /// 1 to 4,096 bytes.
    public var sealed: String
    /// Of a `contact`, and of no other: the account that may ask for it.
    public var contact: String?
    /// Of a `contact`: for how many seconds the owner may say no, from one day to 30.
    public var wait: Int64?
    public init(id: String, kind: Kind, sealed: String, contact: String? = nil, wait: Int64? = nil) {
        self.id = id
        self.kind = kind
        self.sealed = sealed
        self.contact = contact
        self.wait = wait
    }
}

/// What a slot holds from now on; its id is in the path.
public struct NewVaultSlot: Codable, Sendable {
    public var kind: VaultSlot.Kind
    /// 1 to 4,096 bytes.
    public var sealed: String
    public var contact: String?
    public var wait: Int64?
    public init(kind: VaultSlot.Kind, sealed: String, contact: String? = nil, wait: Int64? = nil) {
        self.kind = kind
        self.sealed = sealed
        self.contact = contact
        self.wait = wait
    }
}

/// One of the four PIN slots, used or not.
public struct NewVaultPIN: Codable, Sendable {
    /// From 0 to 3.
    public var slot: Int
    /// 1 to 4,096 bytes; random in a slot that nobody uses.
    public var sealed: String
    /// What the guard keeps to see whether a try was of this PIN, 81 bytes (docs/vault-format.md, "PIN slots").
    public var verifier: String
    public init(slot: Int, sealed: String, verifier: String) {
        self.slot = slot
        self.sealed = sealed
        self.verifier = verifier
    }
}

/// Other contents for some PIN slots, under the guard keys of an enrolment.
public struct VaultPINs: Codable, Sendable {
    public var enrolment: String
    /// The guard's `revision` that the wallet has seen: if it is another one by now, nothing is written.
    public var revision: Int64
    /// One to four.
    public var pins: [NewVaultPIN]
    public init(enrolment: String, revision: Int64, pins: [NewVaultPIN]) {
        self.enrolment = enrolment
        self.revision = revision
        self.pins = pins
    }
}

/// A vault to be set up.
public struct NewVault: Codable, Sendable {
    /// 16 to 64 bytes, for Argon2id.
    public var salt: String
    public var slots: [VaultSlot]
    public var enrolment: String
    /// All four.
    public var pins: [NewVaultPIN]
    public var compartment: NewVaultCompartment
    public init(
        salt: String, slots: [VaultSlot], enrolment: String, pins: [NewVaultPIN], compartment: NewVaultCompartment
    ) {
        self.salt = salt
        self.slots = slots
        self.enrolment = enrolment
        self.pins = pins
        self.compartment = compartment
    }
}

/// A vault as its owner's wallet finds it: the slots, and whether the guard lets anybody try.
public struct VaultState: Codable, Sendable {
    public var created: Int64
    public var salt: String
    public var slots: [StoredVaultSlot]
    /// Always four.
    public var pins: [VaultPIN]
    public var `guard`: VaultGuardState
    public var limits: VaultLimits
    public init(
        created: Int64, salt: String, slots: [StoredVaultSlot], pins: [VaultPIN], guard: VaultGuardState,
        limits: VaultLimits
    ) {
        self.created = created
        self.salt = salt
        self.slots = slots
        self.pins = pins
        self.guard = `guard`
        self.limits = limits
    }
}

/// A slot as stored.
public struct StoredVaultSlot: Codable, Sendable, Equatable {
    public var id: String
    public var kind: VaultSlot.Kind
    public var sealed: String
    public var created: Int64
    public var contact: String?
    public var wait: Int64?
    /// When the contact asked for it; the owner may say no until `wait` seconds later.
    public var asked: Int64?
    public init(
        id: String, kind: VaultSlot.Kind, sealed: String, created: Int64, contact: String?, wait: Int64?,
        asked: Int64?
    ) {
        self.id = id
        self.kind = kind
        self.sealed = sealed
        self.created = created
        self.contact = contact
        self.wait = wait
        self.asked = asked
    }
}

/// A PIN slot as the wallet finds it.
public struct VaultPIN: Codable, Sendable, Equatable {
    public var slot: Int
    /// Empty if the slot cannot be used.
    public var sealed: String
    /// The guard's public key of the slot, 49 bytes; empty if the slot cannot be used.
    public var key: String
    /// False once ten unproved tries have destroyed it, and where its guard key is not.
    public var usable: Bool
    public init(slot: Int, sealed: String, key: String, usable: Bool) {
        self.slot = slot
        self.sealed = sealed
        self.key = key
        self.usable = usable
    }
}

/// Whether a PIN can be tried, and when.
public struct VaultGuardState: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// PINs can be tried.
        case ready
        /// The server was restored without its guard keys: no PIN opens anything until new ones are set.
        case absent
    }

    public var state: State
    /// Seconds until the next try; 0 for at once.
    public var wait: Int64
    /// Tries that stand against the PIN that has most of them: nobody has proved them.
    public var tries: Int64
    /// Larger after each write of the PIN slots: a wallet that writes them says which it has seen.
    public var revision: Int64
    public init(state: State, wait: Int64, tries: Int64 = 0, revision: Int64 = 0) {
        self.state = state
        self.wait = wait
        self.tries = tries
        self.revision = revision
    }
}

/// What a vault may have.
public struct VaultLimits: Codable, Sendable, Equatable {
    /// Compartments of an account.
    public var compartments: Int
    /// Slots of an account, the PIN slots not counted.
    public var slots: Int
    /// Bytes of a compartment.
    public var quota: Int64
    /// Files and folders of a compartment.
    public var nodes: Int
    /// Files and folders of one change.
    public var change: Int
    /// Bytes of sealed metadata.
    public var metadata: Int
    /// Bytes of a slot.
    public var sealed: Int
    /// Bytes of a part of an upload.
    public var part: Int
    /// Versions of a file.
    public var versions: Int
    public var versionDays: Int
    public var trashDays: Int
    /// Hours after which what was uploaded and never used is removed.
    public var uploadHours: Int
    /// Days after the removal of an item until nothing opens it any more, copies and backups included.
    public var shredDays: Int
    public init(
        compartments: Int, slots: Int, quota: Int64, nodes: Int, change: Int, metadata: Int, sealed: Int, part: Int,
        versions: Int, versionDays: Int, trashDays: Int, uploadHours: Int, shredDays: Int
    ) {
        self.compartments = compartments
        self.slots = slots
        self.quota = quota
        self.nodes = nodes
        self.change = change
        self.metadata = metadata
        self.sealed = sealed
        self.part = part
        self.versions = versions
        self.versionDays = versionDays
        self.trashDays = trashDays
        self.uploadHours = uploadHours
        self.shredDays = shredDays
    }
}
