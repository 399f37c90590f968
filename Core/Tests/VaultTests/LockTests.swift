import Encodings
import Testing

@testable import Vault

@Suite struct LockTests {
    let sample: Sample
    let lock: ItemLock
    var suite: TestSuite { sample.suite }

    init() throws {
        sample = try Sample()
        lock = ItemLock(pin: try .random(sample.suite), id: try .random(sample.suite))
    }

    func locked() throws -> OpenedNode {
        try sample.compartment.rotate(
            sample.note, in: sample.compartment.root, locks: [lock], children: [], suite: suite
        ).node
    }

    @Test func aLockedItemShowsNothingWithoutItsKey() throws {
        let node = try locked()
        let root = sample.compartment.root
        #expect(refusal { try sample.compartment.open(node.record, in: root, suite: suite) } == .locked)
        let wrong = ItemLock(pin: try .random(suite), id: lock.id)
        #expect(
            refusal { try sample.compartment.open(node.record, in: root, with: [wrong], suite: suite) } == .locked)
        let tree = try sample.tree([sample.folder.record, sample.file.record, node.record])
        #expect(tree.locked.map(\.record.id) == [node.id] && tree.node(node.id) == nil)
        #expect(tree.locked[0].locks.map(\.id) == [lock.id])
        let open = try sample.tree([node.record], with: [lock])
        #expect(open.node(node.id)?.metadata == sample.note.metadata)
    }

    /// The key from before the lock opens nothing of it.
    @Test func theOldKeyOpensNothing() throws {
        let node = try locked()
        let old = try sample.note.record.taking(metadata: node.record.metadata, revision: node.record.revision)
        #expect(refusal { try sample.compartment.open(old, in: sample.compartment.root, suite: suite) } == .cannotOpen)
    }

    @Test func lockedAndOpenItemsLookTheSame() throws {
        let node = try locked()
        #expect(node.record.key.count == sample.note.record.key.count)
        #expect(node.record.metadata.count == sample.note.record.metadata.count)
    }

    @Test func aFolderLocksWhatIsInIt() throws {
        let rotated = try sample.compartment.rotate(
            sample.folder, in: sample.compartment.root, locks: [lock], children: [sample.file.record], suite: suite)
        let records = [rotated.node.record] + rotated.children
        let closed = try sample.tree(records)
        #expect(closed.nodes.isEmpty && closed.locked.count == 1 && closed.unreachable.count == 1)
        let open = try sample.tree(records, with: [lock])
        #expect(open.nodes.count == 2)
        #expect(open.node(sample.file.id)?.record.revision == sample.file.record.revision)
    }

    @Test func eitherOfTwoLocksOpens() throws {
        let passkey = try ItemLock(prf: suite.randomBytes(32), id: .random(suite), suite: suite)
        let node = try sample.compartment.rotate(
            sample.note, in: sample.compartment.root, locks: [lock, passkey], children: [], suite: suite
        ).node
        for key in [lock, passkey] {
            #expect(throws: Never.self) {
                _ = try sample.compartment.open(node.record, in: sample.compartment.root, with: [key], suite: suite)
            }
        }
        let both = try sample.compartment.open(
            node.record, in: sample.compartment.root, with: [lock, passkey], suite: suite)
        let free = try sample.compartment.rotate(
            both, in: sample.compartment.root, locks: [], children: [], suite: suite
        ).node
        #expect(throws: Never.self) {
            _ = try sample.compartment.open(free.record, in: sample.compartment.root, suite: suite)
        }
        #expect(
            refusal {
                try sample.compartment.rotate(
                    both, in: sample.compartment.root, locks: [lock, lock, passkey], children: [], suite: suite)
            } == .outOfRange)
    }

    /// A rename and a move keep the lock; rotating a folder around it does not need its key.
    @Test func locksStay() throws {
        let node = try locked()
        var metadata = node.metadata
        metadata.name = try NodeName(.text("Other"))
        let renamed = try sample.compartment.change(node, to: metadata, in: sample.compartment.root, suite: suite)
        let moved = try sample.compartment.move(renamed, to: sample.folder.key, suite: suite)
        #expect(refusal { try sample.compartment.open(moved.record, in: sample.folder.key, suite: suite) } == .locked)
        var tree = try sample.tree([sample.folder.record, sample.file.record, moved.record])
        let records = try tree.rotate(sample.folder.id, suite: suite)
        #expect(records.count == 3)
        let again = try sample.tree(records, with: [lock])
        #expect(again.node(node.id)?.metadata == metadata && again.node(node.id)?.key.generation == 2)
        var open = try sample.tree([sample.folder.record, moved.record], with: [lock])
        #expect(refusal { try open.rotate(sample.folder.id, suite: suite) } == .locked)
    }

    @Test func everyItemHasItsOwnPRFSalt() throws {
        let salts = [sample.note.id, sample.file.id].flatMap { node in
            [lock.id, LockID(high: 0, low: 1)].map { ItemLock.prfSalt(sample.compartment.id, node, $0, suite: suite) }
        }
        #expect(Set(salts).count == 4 && salts.allSatisfy { $0.count == 32 })
    }
}
