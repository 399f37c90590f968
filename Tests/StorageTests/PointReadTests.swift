import Synchronization
import Testing

@testable import Storage

@Suite("Point reads") struct PointReadTests {
    @Test func `the same value is given until something is stored`() async throws {
        try await withDatabase { database in
            let runs = Counter()
            let read = {
                try await database.pointRead("notes") { transaction in
                    runs.add()
                    return try transaction.identifiers()
                }
            }
            for _ in 0..<2 { #expect(try await read() == []) }
            #expect(runs.count == 1)
            try await database.write { try $0.insert(1) }
            for _ in 0..<2 { #expect(try await read() == [1]) }
            #expect(runs.count == 2)
        }
    }

    @Test func `that there is no such row is remembered, too`() async throws {
        try await withDatabase { database in
            let runs = Counter()
            for _ in 0..<3 {
                let row = try await database.pointRead("note 7") { transaction -> Int64? in
                    runs.add()
                    return try transaction.identifiers().first
                }
                #expect(row == nil)
            }
            #expect(runs.count == 1)
        }
    }

    @Test func `whoever stored something reads it back, whatever others read meanwhile`() async throws {
        try await withDatabase { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<200 as Range<Int64> {
                    group.addTask {
                        try await database.write { try $0.insert(id) }
                        let found = try await database.pointRead("all") { try $0.identifiers() }
                        #expect(found.contains(id))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `what was read before a commit does not count after it`() {
        let reads = PointReads()
        reads.insert(1, "a", version: 1)
        #expect(reads.find("a", version: 1) == 1)
        #expect(reads.find("a", version: 2) as Int? == nil)
        reads.insert(2, "b", version: 2)
        reads.insert(1, "a", version: 1)
        #expect(reads.find("a", version: 2) as Int? == nil)
        #expect(reads.find("b", version: 2) == 2)
        #expect(reads.find("b", version: 2) as String? == nil)
    }
}

private final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.wrappingAdd(1, ordering: .relaxed) }
}
