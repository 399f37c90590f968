import Encodings

/// Reads what zlib and gzip have compressed (RFC 1950, 1951, 1952), for fixtures; checksums are not compared.
struct Inflate {
    private let input: Bytes
    private var position: Int
    private var output: Bytes = []

    /// A zlib stream.
    static func zlib(_ input: Bytes) throws -> Bytes { try run(input, from: 2) }

    /// A gzip file, with or without the name of the file.
    static func gzip(_ input: Bytes) throws -> Bytes {
        guard input.count > 10, input[3] & ~8 == 0 else { throw Missing() }
        let name = input[3] & 8 == 0 ? 0 : (input[10...].firstIndex(of: 0) ?? input.count) - 9
        return try run(input, from: 10 + name)
    }

    private static func run(_ input: Bytes, from start: Int) throws -> Bytes {
        var inflate = Inflate(input: input, position: 8 * start)
        try inflate.blocks()
        return inflate.output
    }

    private init(input: Bytes, position: Int) {
        self.input = input
        self.position = position
    }

    private mutating func bits(_ count: Int) throws -> Int {
        var value = 0
        for place in 0..<count {
            guard position >> 3 < input.count else { throw Missing() }
            value |= Int(input[position >> 3] >> UInt8(position & 7) & 1) << place
            position += 1
        }
        return value
    }

    private mutating func blocks() throws {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 1:
                let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                try block(Huffman(lengths), Huffman([Int](repeating: 5, count: 30)))
            case 2: try dynamic()
            default: throw Missing()
            }
        }
    }

    private mutating func stored() throws {
        position = (position + 7) & ~7
        let count = try bits(16)
        _ = try bits(16)
        let start = position >> 3
        guard start + count <= input.count else { throw Missing() }
        output += input[start..<start + count]
        position += 8 * count
    }

    private mutating func dynamic() throws {
        let literals = try bits(5) + 257
        let distances = try bits(5) + 1
        let count = try bits(4) + 4
        var lengths = [Int](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) {
            lengths[place] = try bits(3)
        }
        let code = Huffman(lengths)
        var all: [Int] = []
        while all.count < literals + distances {
            switch try symbol(code) {
            case 16: all += [Int](repeating: all.last ?? 0, count: try bits(2) + 3)
            case 17: all += [Int](repeating: 0, count: try bits(3) + 3)
            case 18: all += [Int](repeating: 0, count: try bits(7) + 11)
            case let length: all.append(length)
            }
        }
        try block(Huffman(Array(all[..<literals])), Huffman(Array(all[literals...])))
    }

    private mutating func block(_ literals: Huffman, _ distances: Huffman) throws {
        let lengths = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
            227,
        ]
        while true {
            let symbol = try symbol(literals)
            guard symbol != 256 else { return }
            guard symbol > 256 else {
                output.append(UInt8(symbol))
                continue
            }
            let place = symbol - 257
            let length = place == 28 ? 258 : lengths[place] + (try bits(place < 8 ? 0 : (place - 4) / 4))
            let far = try self.symbol(distances)
            let distance = far < 4 ? far + 1 : ((far & 1) + 2) << ((far - 2) / 2) + 1 + (try bits((far - 2) / 2))
            guard distance <= output.count else { throw Missing() }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func symbol(_ code: Huffman) throws -> Int {
        var value = 0
        var first = 0
        var start = 0
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[start + value - first] }
            start += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Missing()
    }

    private struct Huffman {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: [Int]) {
            for length in lengths where length > 0 { counts[length] += 1 }
            for length in 1...15 { symbols += lengths.indices.filter { lengths[$0] == length } }
        }
    }
}
