import EllipticCurves
import Encodings

/// How a folder keeps the key of a node that is in it: plain, or again under the keys of locks.
///
/// It is always 160 bytes long, so that nobody sees from outside which items are locked:
/// a zero and the key; or the number of locks, and for each its method, its id and the box with the key.
struct KeyWrapping: Sendable, Equatable {
    static var byteCount: Int { 160 }
    static var sealedByteCount: Int { 4 + byteCount + VaultBox.overhead }
    private static var lockBox: Int { VaultSecret.byteCount + VaultBox.overhead }

    let generation: UInt32
    /// The key, if no lock is before it.
    let plain: VaultSecret?
    let locks: [NodeLock]

    /// Takes what was unwrapped before.
    init(generation: UInt32, plain: VaultSecret?, locks: [NodeLock]) {
        self.generation = generation
        self.plain = plain
        self.locks = locks
    }

    /// Wraps a key.
    init<Suite: VaultCryptoSuite>(
        _ key: NodeKey, locks: [ItemLock], in compartment: CompartmentID, suite: Suite
    ) throws(VaultError) {
        guard locks.count <= ItemLock.maximum else { throw .outOfRange }
        generation = key.generation
        plain = locks.isEmpty ? key.secret : nil
        var made: [NodeLock] = []
        for lock in locks {
            let binding = Self.binding(compartment, key.node, key.generation, lock.id)
            let box = try lock.key.derived(.itemLock, suite: suite)
                .seal(key.secret.bytes, .itemLock, binding, suite: suite)
            made.append(NodeLock(id: lock.id, method: lock.method, box: box))
        }
        self.locks = made
    }

    /// Unwraps what a record holds.
    init<Suite: VaultCryptoSuite>(
        _ record: NodeRecord, parent: NodeKey, in compartment: CompartmentID, suite: Suite
    ) throws(VaultError) {
        guard record.key.count == Self.sealedByteCount else { throw .malformed }
        var outer = ByteReader(record.key)
        generation = UInt32(truncatingIfNeeded: try outer.number(4))
        let binding = Self.outerBinding(compartment, parent: parent.node, record.id, generation)
        var plaintext = try parent.secret.derived(.nodeKey, suite: suite)
            .open(outer.take(outer.remaining), .nodeKey, binding, suite: suite)
        defer { plaintext.wipe() }
        var reader = ByteReader(plaintext)
        let count = Int(try reader.byte())
        guard count <= ItemLock.maximum else { throw .malformed }
        plain = count == 0 ? try VaultSecret(reader.take(VaultSecret.byteCount)) : nil
        var locks: [NodeLock] = []
        for _ in 0..<count {
            guard let method = ItemLock.Method(rawValue: try reader.byte()) else { throw .malformed }
            let id = try LockID(reader.take(LockID.byteCount))
            locks.append(NodeLock(id: id, method: method, box: try reader.take(Self.lockBox)))
        }
        self.locks = locks
        try reader.finishPadding()
    }

    /// What a record holds.
    func sealed<Suite: VaultCryptoSuite>(
        _ node: NodeID, parent: NodeKey, in compartment: CompartmentID, suite: Suite
    ) throws(VaultError) -> Bytes {
        var plaintext: Bytes = [UInt8(locks.count)]
        defer { plaintext.wipe() }
        if let plain { plaintext += plain.bytes }
        for lock in locks { plaintext += [lock.method.rawValue] + lock.id.bytes + lock.box }
        plaintext += Bytes(repeating: 0, count: Self.byteCount - plaintext.count)
        let binding = Self.outerBinding(compartment, parent: parent.node, node, generation)
        let box = try parent.secret.derived(.nodeKey, suite: suite)
            .seal(plaintext, .nodeKey, binding, suite: suite)
        return bigEndian(UInt64(generation), count: 4) + box
    }

    /// The key of the node.
    ///
    /// - Throws: `locked` if none of the keys opens a lock.
    func key<Suite: VaultCryptoSuite>(
        of node: NodeID, with keys: [ItemLock], in compartment: CompartmentID, suite: Suite
    ) throws(VaultError) -> NodeKey {
        if let plain { return NodeKey(node: node, generation: generation, secret: plain) }
        for lock in locks {
            for key in keys where key.id == lock.id && key.method == lock.method {
                let binding = Self.binding(compartment, node, generation, lock.id)
                let box = try key.key.derived(.itemLock, suite: suite)
                // The folder's key has sealed the locks with what is around them: what does not open has another key.
                guard let secret = try? box.open(lock.box, .itemLock, binding, suite: suite) else { continue }
                return NodeKey(node: node, generation: generation, secret: try VaultSecret(secret))
            }
        }
        throw .locked
    }

    private static func outerBinding(
        _ compartment: CompartmentID, parent: NodeID, _ node: NodeID, _ generation: UInt32
    ) -> Bytes {
        compartment.bytes + parent.bytes + node.bytes + bigEndian(UInt64(generation), count: 4)
    }

    private static func binding(
        _ compartment: CompartmentID, _ node: NodeID, _ generation: UInt32, _ lock: LockID
    ) -> Bytes {
        compartment.bytes + node.bytes + bigEndian(UInt64(generation), count: 4) + lock.bytes
    }
}
