public import Encodings

// The state as it is kept in the guard's file: version, time of the last try, four slots, the tries that wait.
extension PINGuard {
    private static var version: UInt8 { 1 }

    /// The state in its one spelling.
    public var bytes: Bytes {
        var bytes: Bytes = [Self.version] + bigEndianBytes(UInt64(bitPattern: lastTry ?? -1))
        for slot in slots { bytes += [slot.isLive ? 1 : 0, UInt8(slot.count)] + slot.verifier.bytes }
        bytes.append(UInt8(pending.count))
        for attempt in pending {
            bytes += attempt.id + attempt.blinded + bigEndianBytes(UInt64(bitPattern: attempt.time))
            bytes += bigEndianBytes(UInt64(bitPattern: attempt.previous ?? -1))
            bytes.append(attempt.counted.indices.reduce(0) { $0 | (attempt.counted[$1] ? 1 << UInt8($1) : 0) })
        }
        return bytes
    }

    /// Reads a state.
    ///
    /// - Throws: `malformed`, `unsupportedVersion`.
    public init(_ bytes: Bytes) throws(VaultError) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.version else { throw .unsupportedVersion }
        let last = Int64(bitPattern: try reader.number(8))
        guard last >= -1 else { throw .malformed }
        var slots: [Slot] = []
        for _ in 0..<PINSlot.count {
            let isLive = try reader.byte()
            let count = Int(try reader.byte())
            guard isLive <= 1, count <= Self.maximumTries else { throw .malformed }
            let verifier = try PINVerifier(reader.take(PINVerifier.byteCount))
            slots.append(Slot(verifier: verifier, count: count, isLive: isLive == 1))
        }
        var pending: [Pending] = []
        let count = Int(try reader.byte())
        guard count <= Self.maximumPending else { throw .malformed }
        for _ in 0..<count {
            let id = try reader.take(Self.idByteCount)
            let blinded = try reader.take(49)
            let time = Int64(bitPattern: try reader.number(8))
            let previous = Int64(bitPattern: try reader.number(8))
            let mask = try reader.byte()
            guard PINVerifier.isElement(blinded), mask < 16, time >= 0, previous >= -1 else { throw .malformed }
            let counted = (0..<PINSlot.count).map { mask >> UInt8($0) & 1 == 1 }
            pending.append(
                Pending(id: id, blinded: blinded, time: time, previous: previous < 0 ? nil : previous, counted: counted)
            )
        }
        try reader.finish()
        self.slots = slots
        self.pending = pending
        lastTry = last < 0 ? nil : last
        for index in slots.indices where pending.filter({ $0.counted[index] }).count > slots[index].count {
            throw .malformed
        }
    }
}
