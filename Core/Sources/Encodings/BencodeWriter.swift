/// Writes Bencode piece by piece into one buffer: for formats whose keys are known, so that no tree is made for them.
///
/// The caller writes keys in ascending order and ends what it begins.
public struct BencodeWriter: Sendable {
    /// What was written.
    public private(set) var bytes: Bytes = []

    /// An empty buffer.
    ///
    /// - Parameter capacity: how many bytes are expected; a good guess saves copies.
    public init(capacity: Int = 64) {
        bytes.reserveCapacity(capacity)
    }

    /// A string: its length in bytes, a colon, the bytes.
    public mutating func string(_ content: Bytes) {
        decimal(UInt64(content.count))
        bytes.append(0x3A)
        bytes.append(contentsOf: content)
    }

    /// A string from a text of the source; most often a key.
    public mutating func text(_ content: StaticString) {
        decimal(UInt64(content.utf8CodeUnitCount))
        bytes.append(0x3A)
        encoded(content)
    }

    /// A number.
    public mutating func integer(_ number: Int64) {
        bytes.append(0x69)
        if number < 0 { bytes.append(0x2D) }
        decimal(number.magnitude)
        bytes.append(0x65)
    }

    /// Begins a list.
    public mutating func beginList() { bytes.append(0x6C) }

    /// Begins a dictionary.
    public mutating func beginDictionary() { bytes.append(0x64) }

    /// Ends the list or dictionary that was begun last.
    public mutating func end() { bytes.append(0x65) }

    /// A whole value, or any other piece that is Bencode already.
    public mutating func encoded(_ piece: Bytes) { bytes.append(contentsOf: piece) }

    /// A piece from the source that is Bencode already: keys with their lengths, for instance.
    public mutating func encoded(_ piece: StaticString) {
        piece.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func decimal(_ number: UInt64) {
        // Lengths have one to three digits nearly always: no array is made for them.
        if number < 10 {
            bytes.append(0x30 + UInt8(number))
            return
        }
        var divisor: UInt64 = 10
        while number / divisor >= 10 { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            bytes.append(0x30 + UInt8(rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }
}
