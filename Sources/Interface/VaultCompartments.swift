/// A compartment to be made: its id comes from its key, which the server never has.
public struct NewVaultCompartment: Codable, Sendable {
    /// 32 hexadecimal digits.
    public var id: String
    /// Sealed: 1 to 512 bytes.
    public var head: String
    public init(id: String, head: String) {
        self.id = id
        self.head = head
    }
}

/// A compartment, for somebody who can name it.
public struct VaultCompartment: Codable, Sendable, Equatable {
    public var id: String
    /// How many changes it has had.
    public var sequence: Int64
    public var head: String
    /// Bytes of contents, uploads under way included, and of metadata.
    public var bytes: Int64
    public var quota: Int64
    /// Files and folders that are not removed.
    public var nodes: Int64
    public init(id: String, sequence: Int64, head: String, bytes: Int64, quota: Int64, nodes: Int64) {
        self.id = id
        self.sequence = sequence
        self.head = head
        self.bytes = bytes
        self.quota = quota
        self.nodes = nodes
    }
}

/// A file or folder, as opaque as the server has it.
public struct VaultNode: Codable, Sendable, Equatable {
    /// One version of a file's content.
    public struct Version: Codable, Sendable, Equatable {
        public var id: String
        /// The content's id, which is that of its upload.
        public var content: String
        /// The wrapped content key; empty if it is lost.
        public var key: String
        /// Bytes of ciphertext.
        public var size: Int64
        public var created: Int64
        public init(id: String, content: String, key: String, size: Int64, created: Int64) {
            self.id = id
            self.content = content
            self.key = key
            self.size = size
            self.created = created
        }
    }

    public var id: String
    /// The change that it had last.
    public var sequence: Int64
    public var revision: Int64
    /// Where it is, sealed; empty if it is removed.
    public var place: String
    /// The wrapped node key; empty if it is removed or lost.
    public var key: String
    /// Sealed; empty if it is removed.
    public var metadata: String
    /// The newest first.
    public var versions: [Version]
    /// Since when it is in the trash.
    public var trashed: Int64?
    /// Since when it is removed for good.
    public var removed: Int64?
    /// True if the server's own key of it is gone: an old backup was restored.
    public var lost: Bool?
    public init(
        id: String, sequence: Int64, revision: Int64, place: String, key: String, metadata: String,
        versions: [Version], trashed: Int64? = nil, removed: Int64? = nil, lost: Bool? = nil
    ) {
        self.id = id
        self.sequence = sequence
        self.revision = revision
        self.place = place
        self.key = key
        self.metadata = metadata
        self.versions = versions
        self.trashed = trashed
        self.removed = removed
        self.lost = lost
    }
}

/// A page of what changed in a compartment, in the order of the changes.
public struct VaultNodes: Codable, Sendable {
    public var items: [VaultNode]
    /// What `after` is for the next page; none on the last.
    public var next: String?
    public var sequence: Int64
    /// Of this page's moment: of the last page, it is the one to check against.
    public var head: String
    public var bytes: Int64
    public var quota: Int64
    public init(items: [VaultNode], next: String?, sequence: Int64, head: String, bytes: Int64, quota: Int64) {
        self.items = items
        self.next = next
        self.sequence = sequence
        self.head = head
        self.bytes = bytes
        self.quota = quota
    }
}

/// A change of a compartment: all of it, or nothing.
public struct VaultChange: Codable, Sendable {
    /// A file or folder, new or with its next revision.
    public struct Put: Codable, Sendable {
        /// A version that is there, or one whose content was uploaded.
        public struct Version: Codable, Sendable {
            public var id: String
            public var content: String
            /// 1 to 256 bytes.
            public var key: String
            public var size: Int64
            public init(id: String, content: String, key: String, size: Int64) {
                self.id = id
                self.content = content
                self.key = key
                self.size = size
            }
        }

        public var id: String
        /// One more than the stored one; 1 for a new one.
        ///
        /// It stays if only `key` changes: the folder has another key.
        public var revision: Int64
        /// 1 to 256 bytes.
        public var place: String
        /// 1 to 256 bytes.
        public var key: String
        /// 1 to 262,144 bytes.
        public var metadata: String
        /// The newest first, at most ten; those that are left out are removed.
        public var versions: [Version]
        public init(
            id: String, revision: Int64, place: String, key: String, metadata: String, versions: [Version]
        ) {
            self.id = id
            self.revision = revision
            self.place = place
            self.key = key
            self.metadata = metadata
            self.versions = versions
        }
    }

    /// The compartment's, as the wallet knows it: if it is another by now, nothing is done.
    public var sequence: Int64
    /// Of the compartment with this change.
    public var head: String
    public var put: [Put]
    /// Into the trash.
    public var trash: [String]
    /// Out of the trash.
    public var restore: [String]
    /// For good.
    public var remove: [String]
    public init(
        sequence: Int64, head: String, put: [Put] = [], trash: [String] = [], restore: [String] = [],
        remove: [String] = []
    ) {
        self.sequence = sequence
        self.head = head
        self.put = put
        self.trash = trash
        self.restore = restore
        self.remove = remove
    }
}

/// Items that go from one compartment to another of the same owner, with their contents: all of it, or nothing.
public struct VaultHandover: Codable, Sendable {
    /// Where they are.
    public var from: String
    /// What is done there: it removes the items.
    public var departure: VaultChange
    /// Where they go.
    public var to: String
    /// What is done there: it puts them, naming the contents that the first change lets go.
    public var arrival: VaultChange
    public init(from: String, departure: VaultChange, to: String, arrival: VaultChange) {
        self.from = from
        self.departure = departure
        self.to = to
        self.arrival = arrival
    }
}

/// Both compartments after a handover.
public struct VaultHandedOver: Codable, Sendable, Equatable {
    public var from: VaultChanged
    public var to: VaultChanged
    public init(from: VaultChanged, to: VaultChanged) {
        self.from = from
        self.to = to
    }
}

/// A compartment after a change.
public struct VaultChanged: Codable, Sendable, Equatable {
    public var sequence: Int64
    public var bytes: Int64
    public var quota: Int64
    public init(sequence: Int64, bytes: Int64, quota: Int64) {
        self.sequence = sequence
        self.bytes = bytes
        self.quota = quota
    }
}

/// Ciphertext that is to come in parts.
public struct NewVaultUpload: Codable, Sendable {
    /// The compartment that it is for.
    public var compartment: String
    /// Bytes.
    public var size: Int64
    public init(compartment: String, size: Int64) {
        self.compartment = compartment
        self.size = size
    }
}

/// Ciphertext that is coming in parts.
public struct VaultUpload: Codable, Sendable, Equatable {
    public var id: String
    public var size: Int64
    /// Bytes of each part; the last may be shorter.
    public var part: Int64
    /// How many parts there are.
    public var parts: Int64
    /// The numbers of those that are there, from 0.
    public var received: [Int64]
    /// When it is removed, if no change uses it and no further part comes.
    public var expires: Int64
    public init(id: String, size: Int64, part: Int64, parts: Int64, received: [Int64], expires: Int64) {
        self.id = id
        self.size = size
        self.part = part
        self.parts = parts
        self.received = received
        self.expires = expires
    }
}
