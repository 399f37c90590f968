import Encodings

/// All nodes of a compartment, opened from the root down.
public struct VaultTree: Sendable {
    /// The nodes that are open, in the order of their ids.
    public private(set) var nodes: [OpenedNode]
    /// The nodes with a lock whose key is not at hand; what is in them is neither here nor there.
    public private(set) var locked: [LockedNode]
    /// The records that nothing leads to, or that do not open: damaged, or below a locked folder.
    public private(set) var unreachable: [NodeRecord]
    private let compartment: Compartment

    /// Opens all records of a compartment.
    ///
    /// - Parameters:
    ///   - records: in any order, each id once.
    ///   - locks: the locks of items that are open.
    /// - Throws: `malformed` if an id comes twice.
    public init<Suite: VaultCryptoSuite>(
        _ records: [NodeRecord], of compartment: Compartment, with locks: [ItemLock] = [], suite: Suite
    ) throws(VaultError) {
        self.compartment = compartment
        nodes = []
        locked = []
        unreachable = []
        var children: [(parent: NodeID, record: NodeRecord)] = []
        for record in records {
            if let parent = try? compartment.parent(of: record, suite: suite) {
                children.append((parent, record))
            } else {
                unreachable.append(record)
            }
        }
        children.sort { ($0.parent, $0.record.id) < ($1.parent, $1.record.id) }
        var isReached = [Bool](repeating: false, count: children.count)
        var folders = [compartment.root]
        while let folder = folders.popLast() {
            var index = Self.firstIndex(of: folder.node, in: children)
            while index < children.count, children[index].parent == folder.node {
                let record = children[index].record
                do throws(VaultError) {
                    let node = try compartment.open(record, in: folder, with: locks, suite: suite)
                    nodes.append(node)
                    isReached[index] = true
                    if node.metadata.kind == .folder { folders.append(node.key) }
                } catch .locked {
                    locked.append(try compartment.lockedNode(record, in: folder, suite: suite))
                    isReached[index] = true
                } catch {
                    // It stays among those that nothing leads to.
                }
                index += 1
            }
        }
        for index in children.indices where !isReached[index] { unreachable.append(children[index].record) }
        nodes.sort { $0.id < $1.id }
        guard Self.areDistinct(records) else { throw .malformed }
    }

    /// The node of an id, if it is open.
    public func node(_ id: NodeID) -> OpenedNode? {
        let index = place(of: id)
        return index < nodes.count && nodes[index].id == id ? nodes[index] : nil
    }

    /// The key of a folder: the root's, or that of an open node.
    public func folder(_ id: NodeID) throws(VaultError) -> NodeKey {
        guard id != .root else { return compartment.root }
        guard let node = node(id), node.metadata.kind == .folder else { throw .notFound }
        return node.key
    }

    /// The nodes in a folder, in the order of their ids.
    public func children(of folder: NodeID) -> [OpenedNode] { nodes.filter { $0.parent == folder } }

    /// Puts a new or changed node into the tree.
    public mutating func put(_ node: OpenedNode) {
        let index = place(of: node.id)
        if index < nodes.count, nodes[index].id == node.id {
            nodes[index] = node
        } else {
            nodes.insert(node, at: index)
        }
    }

    /// Takes a node out, and not what is in it.
    public mutating func remove(_ id: NodeID) {
        nodes.removeAll { $0.id == id }
    }

    /// Moves a node to another folder; the tree has it there from now on.
    ///
    /// - Throws: `cyclicMove` if the folder is the node itself or lies in it, `notFound`.
    public mutating func move<Suite: VaultCryptoSuite>(
        _ id: NodeID, to folder: NodeID, suite: Suite
    ) throws(VaultError) -> NodeRecord {
        guard let node = node(id) else { throw .notFound }
        let target = try self.folder(folder)
        guard !(try path(of: folder)).contains(id) else { throw .cyclicMove }
        let moved = try compartment.move(node, to: target, suite: suite)
        put(moved)
        return moved.record
    }

    /// The ids from a node up to the one below the root, itself first; none for the root.
    public func path(of id: NodeID) throws(VaultError) -> [NodeID] {
        var path: [NodeID] = []
        var current = id
        while current != .root {
            guard let node = node(current), path.count <= nodes.count else { throw .notFound }
            path.append(current)
            current = node.parent
        }
        return path
    }

    /// Exchanges the keys of a node and of everything in it: for those who could read it and no longer may.
    ///
    /// Locked nodes in it keep their own key, under the new one of their folder.
    ///
    /// - Parameter locks: the locks that are open; each node keeps those that it has.
    /// - Returns: the records to be stored.
    /// - Throws: `locked` if a node has a lock that is not among them.
    public mutating func rotate<Suite: VaultCryptoSuite>(
        _ id: NodeID, with locks: [ItemLock] = [], suite: Suite
    ) throws(VaultError) -> [NodeRecord] {
        guard let top = node(id) else { throw .notFound }
        var records: [NodeRecord] = []
        var waiting = [(id, try folder(top.parent))]
        while let (id, parent) = waiting.popLast() {
            guard let node = node(id) else { throw .notFound }
            let keys = locks.filter { lock in node.locks.contains { $0.id == lock.id && $0.method == lock.method } }
            guard keys.count == node.locks.count else { throw .locked }
            let closed = locked.indices.filter { locked[$0].parent == id }
            let (rotated, wrapped) = try compartment.rotate(
                node, in: parent, locks: keys, children: closed.map { locked[$0].record }, suite: suite)
            for (index, record) in zip(closed, wrapped) {
                locked[index] = LockedNode(record: record, parent: id, locks: locked[index].locks)
                records.append(record)
            }
            put(rotated)
            records.append(rotated.record)
            // Their own turn comes, with a new key under this one.
            for child in children(of: id) { waiting.append((child.id, rotated.key)) }
        }
        return records
    }

    private func place(of id: NodeID) -> Int {
        var low = 0
        var high = nodes.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func firstIndex(of parent: NodeID, in children: [(parent: NodeID, record: NodeRecord)]) -> Int {
        var low = 0
        var high = children.count
        while low < high {
            let middle = (low + high) / 2
            if children[middle].parent < parent { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func areDistinct(_ records: [NodeRecord]) -> Bool {
        let ids = records.map { $0.id }.sorted()
        for index in ids.indices.dropFirst() where ids[index] == ids[index - 1] { return false }
        return true
    }
}
