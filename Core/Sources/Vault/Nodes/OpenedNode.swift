/// A node whose key is at hand, with the record that it was opened from or that is to be stored.
public struct OpenedNode: Sendable {
    /// What the server keeps of it.
    public let record: NodeRecord
    /// The folder that it is in.
    public let parent: NodeID
    /// Its key.
    public let key: NodeKey
    /// What it is and how it is called.
    public let metadata: NodeMetadata
    /// The locks before it; any one of them opens it.
    public let locks: [NodeLock]

    /// Names the node.
    public var id: NodeID { record.id }
}

/// A node that keeps its place in the list, but whose key is not at hand.
public struct LockedNode: Sendable, Equatable {
    /// What the server keeps of it.
    public let record: NodeRecord
    /// The folder that it is in.
    public let parent: NodeID
    /// The locks before it; any one of them opens it.
    public let locks: [NodeLock]
}
