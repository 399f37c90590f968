import Encodings

/// The memory of one computation: for each lane a row of blocks of 128 words (RFC 9106 section 3.2).
///
/// Blocks are used through pointers. With arrays every word would cost a comparison, and a PIN half a second more.
@safe
struct Argon2Matrix: ~Copyable {
    private static let words = 128
    private let lanes: Int
    private let columns: Int
    private let memory: UnsafeMutablePointer<UInt64>
    private let scratch: UnsafeMutablePointer<UInt64>

    /// - Parameter blocks: at least eight for each lane; the rest of a multiple of four for each lane stays unused.
    init(lanes: Int, blocks: Int) {
        self.lanes = lanes
        columns = blocks / (4 * lanes) * 4
        unsafe memory = .allocate(capacity: lanes * columns * Self.words)
        unsafe scratch = .allocate(capacity: 5 * Self.words)
        unsafe scratch.initialize(repeating: 0, count: 5 * Self.words)
    }

    deinit {
        // The blocks of the last pass tell the result, and the first ones the start.
        unsafe memory.update(repeating: 0, count: lanes * columns * Self.words)
        unsafe scratch.update(repeating: 0, count: 5 * Self.words)
        unsafe memory.deallocate()
        unsafe scratch.deallocate()
    }

    /// Fills the memory from the first hash, and hashes the last column.
    consuming func filled(_ start: Bytes, passes: Int, count: Int) -> Bytes {
        for lane in 0..<lanes {
            for column in 0..<2 {
                let place = littleEndian(UInt64(column), count: 4) + littleEndian(UInt64(lane), count: 4)
                let bytes = Blake2b.long(start + place, count: 8 * Self.words)
                let block = unsafe block(lane, column)
                for word in 0..<Self.words {
                    var value: UInt64 = 0
                    for byte in (0..<8).reversed() { value = value << 8 | UInt64(bytes[8 * word + byte]) }
                    unsafe block[word] = value
                }
            }
        }
        for pass in 0..<passes {
            for slice in 0..<4 {
                for lane in 0..<lanes { fill(pass: pass, slice: slice, lane: lane, passes: passes) }
            }
        }
        var last = Bytes()
        last.reserveCapacity(8 * Self.words)
        for word in 0..<Self.words {
            var sum: UInt64 = 0
            for lane in 0..<lanes { sum ^= unsafe block(lane, columns - 1)[word] }
            last += littleEndian(sum, count: 8)
        }
        return Blake2b.long(last, count: count)
    }

    @inline(__always)
    private func block(_ lane: Int, _ column: Int) -> UnsafeMutablePointer<UInt64> {
        unsafe memory + (lane * columns + column) * Self.words
    }

    /// One segment (sections 3.4.1 and 3.4.2).
    private func fill(pass: Int, slice: Int, lane: Int, passes: Int) {
        let length = columns / 4
        let isIndependent = pass == 0 && slice < 2
        let addresses = unsafe scratch
        let input = unsafe scratch + Self.words
        let zero = unsafe scratch + 3 * Self.words
        unsafe input.update(repeating: 0, count: Self.words)
        unsafe zero.update(repeating: 0, count: Self.words)
        for (word, value) in [pass, lane, slice, lanes * columns, passes, 2].enumerated() {
            unsafe input[word] = UInt64(value)
        }
        for index in 0..<length {
            if isIndependent, index % Self.words == 0 {
                unsafe input[6] += 1
                unsafe compress(zero, input, into: addresses, addsToIt: false)
                unsafe compress(zero, addresses, into: addresses, addsToIt: false)
            }
            guard pass > 0 || slice > 0 || index >= 2 else { continue }
            let column = slice * length + index
            let previous = unsafe block(lane, column == 0 ? columns - 1 : column - 1)
            let random = unsafe isIndependent ? addresses[index % Self.words] : previous[0]
            let (otherLane, otherColumn) = reference(random, pass: pass, slice: slice, lane: lane, index: index)
            unsafe compress(
                previous, block(otherLane, otherColumn), into: block(lane, column), addsToIt: pass > 0)
        }
    }

    /// The block that a random number points to (section 3.4.2).
    private func reference(
        _ random: UInt64, pass: Int, slice: Int, lane: Int, index: Int
    ) -> (lane: Int, column: Int) {
        let length = columns / 4
        let other = pass == 0 && slice == 0 ? lane : Int((random >> 32) % UInt64(lanes))
        let finished = pass == 0 ? slice * length : 3 * length
        let size = other == lane ? finished + index - 1 : finished - (index == 0 ? 1 : 0)
        let first = random & 0xFFFF_FFFF
        let square = (first &* first) >> 32
        let offset = size - 1 - Int((UInt64(size) &* square) >> 32)
        let start = pass == 0 ? 0 : (slice + 1) * length % columns
        return (other, (start + offset) % columns)
    }

    /// The compression function G (section 3.5).
    @inline(__always)
    private func compress(
        _ left: UnsafeMutablePointer<UInt64>, _ right: UnsafeMutablePointer<UInt64>,
        into output: UnsafeMutablePointer<UInt64>, addsToIt: Bool
    ) {
        let work = unsafe scratch + 2 * Self.words
        let kept = unsafe scratch + 4 * Self.words
        for word in 0..<Self.words {
            let sum = unsafe left[word] ^ right[word]
            unsafe work[word] = sum
            unsafe kept[word] = addsToIt ? sum ^ output[word] : sum
        }
        for row in 0..<8 { unsafe Self.permute(work + 16 * row, step: 2) }
        for column in 0..<8 { unsafe Self.permute(work + 2 * column, step: 16) }
        for word in 0..<Self.words { unsafe output[word] = kept[word] ^ work[word] }
    }

    /// The permutation P over eight pairs of words, `step` words apart (section 3.6).
    @inline(__always)
    private static func permute(_ v: UnsafeMutablePointer<UInt64>, step: Int) {
        @inline(__always) func at(_ index: Int) -> Int { (index >> 1) &* step &+ (index & 1) }
        @inline(__always) func mix(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
            var (x, y, z, w) = unsafe (v[at(a)], v[at(b)], v[at(c)], v[at(d)])
            x = product(x, y)
            w = turned(w ^ x, 32)
            z = product(z, w)
            y = turned(y ^ z, 24)
            x = product(x, y)
            w = turned(w ^ x, 16)
            z = product(z, w)
            y = turned(y ^ z, 63)
            unsafe (v[at(a)], v[at(b)], v[at(c)], v[at(d)]) = (x, y, z, w)
        }
        mix(0, 4, 8, 12)
        mix(1, 5, 9, 13)
        mix(2, 6, 10, 14)
        mix(3, 7, 11, 15)
        mix(0, 5, 10, 15)
        mix(1, 6, 11, 12)
        mix(2, 7, 8, 13)
        mix(3, 4, 9, 14)
    }

    @inline(__always)
    private static func product(_ x: UInt64, _ y: UInt64) -> UInt64 {
        x &+ y &+ 2 &* ((x & 0xFFFF_FFFF) &* (y & 0xFFFF_FFFF))
    }
}
