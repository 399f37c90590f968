/// The rows of a file of numbers between commas: no quotes, no spaces.
struct CSVRows {
    /// The fields of one line.
    struct Row {
        fileprivate let bytes: ArraySlice<UInt8>
        /// Where fields begin, and one past the end of the line.
        fileprivate let starts: [Int]

        var count: Int { starts.count - 1 }

        /// The line without its end.
        var whole: [UInt8] { Array(bytes) }

        func bytes(_ field: Int) -> [UInt8] { Array(bytes[starts[field]..<starts[field + 1] - 1]) }

        /// An integer of at most twelve digits.
        func integer(_ field: Int) -> Int64? {
            var position = starts[field]
            let end = starts[field + 1] - 1
            let isNegative = position < end && bytes[position] == 0x2D
            if isNegative { position += 1 }
            guard position < end, end - position <= 12 else { return nil }
            var value: Int64 = 0
            while position < end {
                guard (0x30...0x39).contains(bytes[position]) else { return nil }
                value = value * 10 + Int64(bytes[position] - 0x30)
                position += 1
            }
            return isNegative ? -value : value
        }
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The number of the row that came last, from 1.
    private(set) var line = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next row that is not empty; `nil` at the end.
    mutating func next() -> Row? {
        while position < bytes.count {
            line += 1
            let start = position
            var starts = [start]
            while position < bytes.count, bytes[position] != 0x0A {
                if bytes[position] == 0x2C { starts.append(position + 1) }
                position += 1
            }
            var end = position
            position += 1
            if end > start, bytes[end - 1] == 0x0D { end -= 1 }
            guard end > start else { continue }
            starts.append(end + 1)
            return Row(bytes: bytes[start..<end], starts: starts)
        }
        return nil
    }
}
