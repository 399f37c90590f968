package import Vault

/// What is to be changed in a compartment, at once.
package struct VaultEdit: Sendable {
    /// New nodes, or ones with their next revision.
    package var put: [OpenedNode] = []
    /// Locked nodes whose folder has another key: wrapped again, and otherwise unchanged.
    package var wrapped: [NodeRecord] = []
    /// Into the trash.
    package var trash: [NodeID] = []
    /// Out of the trash.
    package var restore: [NodeID] = []
    /// For good.
    package var remove: [NodeID] = []

    /// Nothing.
    package init() {}

    /// One node.
    package init(put node: OpenedNode) { put = [node] }

    /// Whether there is nothing to do.
    package var isEmpty: Bool { count == 0 }

    /// How many nodes it names.
    var count: Int { put.count + wrapped.count + trash.count + restore.count + remove.count }

    /// All records that are stored.
    var records: [NodeRecord] { put.map(\.record) + wrapped }
}
