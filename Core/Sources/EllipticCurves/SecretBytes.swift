package import Encodings

extension Array where Element == UInt8 {
    /// Writes zeros over the bytes, if nobody else holds them; otherwise over a copy.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe overwrite($0) }
    }
}

/// Writes zeros where nobody will read: called without the optimiser, which would leave that out.
@inline(never)
@_optimize(none)
private func overwrite(_ memory: UnsafeMutableRawBufferPointer) { unsafe zero(memory) }

@inline(never)
private func zero(_ memory: UnsafeMutableRawBufferPointer) {
    for index in memory.indices { unsafe memory[index] = 0 }
}

/// The bytes of a secret, wiped when the last owner lets go of them.
///
/// Swift keeps copies in registers and on the stack for a while, and what a caller was given is the caller's to wipe.
/// So this shortens the time that a secret lies in memory; it does not promise that no trace of it is left.
package final class SecretBytes: Sendable {
    private let memory: Memory

    /// Never written to between the two ends of its life, so it may be read from everywhere.
    @safe private struct Memory: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer
    }

    /// Copies the bytes of a secret; the caller wipes its own.
    package init(_ bytes: Bytes) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        unsafe copy.copyBytes(from: bytes)
        memory = unsafe Memory(bytes: copy)
    }

    deinit {
        unsafe overwrite(memory.bytes)
        unsafe memory.bytes.deallocate()
    }

    /// A copy, which the caller wipes.
    package var bytes: Bytes { unsafe Bytes(memory.bytes) }
}
