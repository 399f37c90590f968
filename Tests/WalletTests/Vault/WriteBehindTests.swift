import Encodings
import Synchronization
import Testing

@testable import Wallet

@Suite("What is written behind", .timeLimit(.minutes(1)))
struct WriteBehindTests {
    struct Full: Error {}
    struct Damaged: Error {}

    /// Keeps what comes, and is full after so many bytes.
    private final class Keeper: VaultTarget {
        private let most: Int
        private let kept = Mutex<(bytes: Bytes, refused: Int)>(([], 0))

        init(most: Int = .max) { self.most = most }

        var bytes: Bytes { kept.withLock { $0.bytes } }
        var refused: Int { kept.withLock { $0.refused } }

        func write(_ bytes: ArraySlice<UInt8>) throws {
            try kept.withLock { kept in
                guard kept.bytes.count + bytes.count <= most else {
                    kept.refused += 1
                    throw Full()
                }
                kept.bytes += bytes
            }
        }
    }

    @Test("comes whole and in order, however often the memory that it was in is used again", arguments: [0, 1, 3, 300])
    func order(count: Int) throws {
        let keeper = Keeper()
        var expected: Bytes = []
        try WriteBehind.into(keeper) { target in
            var memory: Bytes = []
            for number in 0..<count {
                memory += Bytes(repeating: UInt8(truncatingIfNeeded: number), count: number)
                try target.write(memory[...])
                expected += memory
                memory.removeAll(keepingCapacity: true)
            }
        }
        #expect(keeper.bytes == expected)
    }

    @Test("a disk that is full ends the work, and nothing is written after that", arguments: [0, 1, 150, 199])
    func full(most: Int) {
        let keeper = Keeper(most: most)
        #expect(throws: Full.self) {
            // It ends by the error, or it would go on for ever.
            try WriteBehind.into(keeper) { target in while true { try target.write([1]) } }
        }
        #expect(keeper.bytes.count == most && keeper.refused == 1)
    }

    @Test("the last piece's failure is told, too")
    func last() {
        let keeper = Keeper(most: 2)
        #expect(throws: Full.self) { try WriteBehind.into(keeper) { try $0.write([1, 2, 3]) } }
    }

    @Test("content that turns out to be damaged is told as that, and its thread ends")
    func damaged() {
        let keeper = Keeper()
        #expect(throws: Damaged.self) {
            try WriteBehind.into(keeper) { target in
                try target.write([1])
                throw Damaged()
            }
        }
        let count = keeper.bytes.count
        #expect(count <= 1)
    }
}
