/// What a member of somebody's compartment may do there.
public enum VaultRole: String, Codable, Sendable, CaseIterable {
    /// Read.
    case reader
    /// Read and change.
    case writer
    /// Put things into its inbox, and nothing else.
    case caretaker
}

/// A member of a compartment to be.
public struct NewVaultMember: Codable, Sendable {
    public var role: VaultRole
    /// The compartment's key for this account's devices, or for a caretaker that of its inbox: 1 to 8,192 bytes.
    public var sealed: String
    public init(role: VaultRole, sealed: String) {
        self.role = role
        self.sealed = sealed
    }
}

/// A member of a compartment.
public struct VaultMember: Codable, Sendable, Equatable {
    public var account: String
    public var name: String
    public var role: VaultRole
    public var created: Int64
    public init(account: String, name: String, role: VaultRole, created: Int64) {
        self.account = account
        self.name = name
        self.role = role
        self.created = created
    }
}

/// A compartment of somebody else.
public struct SharedVaultCompartment: Codable, Sendable, Equatable {
    public var compartment: String
    public var owner: String
    public var ownerName: String
    public var role: VaultRole
    public var sealed: String
    public var created: Int64
    public init(
        compartment: String, owner: String, ownerName: String, role: VaultRole, sealed: String, created: Int64
    ) {
        self.compartment = compartment
        self.owner = owner
        self.ownerName = ownerName
        self.role = role
        self.sealed = sealed
        self.created = created
    }
}

/// Somebody who has a vault, with the keys of their devices that are not revoked.
public struct VaultRecipient: Codable, Sendable {
    public var account: String
    public var name: String
    /// The newest first, at most eight.
    public var devices: [VaultDevice]
    public init(account: String, name: String, devices: [VaultDevice]) {
        self.account = account
        self.name = name
        self.devices = devices
    }
}

/// A device's keys, with the log's word for them.
///
/// A wallet checks the receipt before it seals anything to the key, or believes what it has signed.
public struct VaultDevice: Codable, Sendable, Equatable {
    public var id: String
    /// An uncompressed P-256 point, base64url.
    public var signingKey: String
    /// An uncompressed P-256 point, base64url.
    public var encryptionKey: String
    public var created: Int64
    /// Of the entry `device.enrolled` that has both keys.
    public var receipt: Receipt
    public init(id: String, signingKey: String, encryptionKey: String, created: Int64, receipt: Receipt) {
        self.id = id
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.created = created
        self.receipt = receipt
    }
}

/// The username of somebody who is to be given something.
public struct VaultRecipientName: Codable, Sendable {
    public var username: String
    public init(username: String) { self.username = username }
}

/// Something to be shown by a link: the key is in the link's fragment.
public struct NewVaultLink: Codable, Sendable {
    /// Ciphertext of at most 12 MiB, base64url.
    public var sealed: String
    /// Seconds, from a minute to 30 days.
    public var lifetime: Int64
    /// 1 to 1,000.
    public var maximumViews: Int
    /// Tells the link's key from others, 32 bytes.
    public var keyCheck: String
    public init(sealed: String, lifetime: Int64, maximumViews: Int, keyCheck: String) {
        self.sealed = sealed
        self.lifetime = lifetime
        self.maximumViews = maximumViews
        self.keyCheck = keyCheck
    }
}

/// Something that a caretaker puts into an inbox.
public struct NewVaultDrop: Codable, Sendable {
    /// 32 hexadecimal digits, chosen by the caretaker.
    public var id: String
    /// Keys and metadata, sealed to the inbox: 1 to 262,144 bytes.
    public var sealed: String
    /// A whole upload for this compartment.
    public var content: String?
    public init(id: String, sealed: String, content: String? = nil) {
        self.id = id
        self.sealed = sealed
        self.content = content
    }
}

/// Something in an inbox.
public struct VaultDrop: Codable, Sendable, Equatable {
    public var id: String
    /// The account that put it there; none if it is erased.
    public var sender: String?
    public var senderName: String
    public var sealed: String
    public var content: String?
    /// Bytes of the content.
    public var size: Int64?
    public var created: Int64
    /// When it is removed.
    public var expires: Int64
    public init(
        id: String, sender: String?, senderName: String, sealed: String, content: String?, size: Int64?,
        created: Int64, expires: Int64
    ) {
        self.id = id
        self.sender = sender
        self.senderName = senderName
        self.sealed = sealed
        self.content = content
        self.size = size
        self.created = created
        self.expires = expires
    }
}

/// A slot of somebody who has made the account their emergency contact.
public struct VaultContactSlot: Codable, Sendable, Equatable {
    public var owner: String
    public var ownerName: String
    public var slot: String
    /// For how many seconds the owner may say no.
    public var wait: Int64
    public var asked: Int64?
    /// Once the time is over, and not before.
    public var sealed: String?
    /// With `sealed`: the salt of the owner's vault, to which the slot is bound.
    public var salt: String?
    public init(
        owner: String, ownerName: String, slot: String, wait: Int64, asked: Int64?, sealed: String?, salt: String?
    ) {
        self.owner = owner
        self.ownerName = ownerName
        self.slot = slot
        self.wait = wait
        self.asked = asked
        self.sealed = sealed
        self.salt = salt
    }
}
