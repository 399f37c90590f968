import Foundation
import Testing

@testable import Wallet
@testable import countersign

@Suite("Files that commands write")
struct FileTests {
    @Test("a file that is there stays, and the error says which option helps")
    func hints() throws {
        let scratch = try Scratch()
        let path = scratch.folder + "/there"
        try Files.write([1], to: path, force: false)
        let kept = #expect(throws: CommandError.self) { try Files.write([2], to: path, force: false) }
        #expect(kept?.words == "\(path) exists already. Give another --out; or write over it with --force.")
        let log = #expect(throws: CommandError.self) {
            try Files.write([2], to: path, force: false, option: "--log-key-out")
        }
        #expect(log?.words.contains("Give another --log-key-out; or write over it with --force.") == true)
        // No hint at an option that the command does not have.
        let never = #expect(throws: CommandError.self) {
            try Files.write([2], to: path, force: nil, option: "--extract")
        }
        #expect(never?.words.contains("--force") == false)
        #expect(try Files.read(path) == [1])
        try Files.write([3], to: path, force: true)
        #expect(try Files.read(path) == [3])
    }
}
