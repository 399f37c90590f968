import Encodings

/// Four words, by their names: what P-256 and edwards25519 count in.
typealias Words256 = Words<4>

extension Words where count == 4 {
    @inline(__always)
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.init([w0, w1, w2, w3])
    }

    var w0: UInt64 {
        @inline(__always) get { self[0] }
        @inline(__always) set { self[0] = newValue }
    }
    var w1: UInt64 { @inline(__always) get { self[1] } }
    var w2: UInt64 { @inline(__always) get { self[2] } }
    var w3: UInt64 {
        @inline(__always) get { self[3] }
        @inline(__always) set { self[3] = newValue }
    }

    /// Reads 32 little-endian bytes that begin at `offset`.
    ///
    /// The caller has checked the length.
    init(littleEndian bytes: Bytes, at offset: Int) {
        self.init(bigEndian: Array(bytes[offset..<offset + 32].reversed()))
    }
}
