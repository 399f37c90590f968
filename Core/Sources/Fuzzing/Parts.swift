import Encodings

/// Takes an input apart, for parsers that want several texts at once.
///
/// The last text is the rest, so that adding bytes to it moves nothing else.
struct Parts {
    private let input: Bytes
    private var offset = 0

    init(_ input: Bytes) { self.input = input }

    /// The next part, behind its length in two bytes, big-endian; what there is when that is less.
    mutating func next() -> Bytes {
        let length = Int(number(2))
        return take(length)
    }

    /// So many bytes, or what there is.
    mutating func take(_ count: Int) -> Bytes {
        let end = min(offset + count, input.count)
        defer { offset = end }
        return Array(input[offset..<end])
    }

    /// A big-endian number of so many bytes; bytes that are missing are left out.
    mutating func number(_ count: Int) -> UInt64 {
        take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What is left.
    mutating func rest() -> Bytes { take(input.count - offset) }
}
