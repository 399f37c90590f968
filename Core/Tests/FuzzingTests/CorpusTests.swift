import Encodings
import Foundation
import Fuzzing
import Testing

/// Every file of `Fuzz/Corpus` through the same function that libFuzzer calls.
@Suite("The corpus of the fuzzers")
struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fuzz/Corpus").standardizedFileURL

    private static func files(_ folder: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    }

    @Test("passes whole", arguments: FuzzTarget.all.map { "\($0.name)" })
    func replay(name: String) throws {
        let target = try #require(FuzzTarget.named(Bytes(text: name)))
        let files = try Self.files(name)
        #expect(files.isEmpty == false, "the parser has no corpus")
        for file in files {
            do {
                try target.run(Bytes(Data(contentsOf: file)))
            } catch let broken as BrokenPromise {
                Issue.record("\(name)/\(file.lastPathComponent): not so: \(broken.promise)")
            }
        }
    }

    @Test("belongs to a target, folder by folder")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).filter { $0.first != "." }
        #expect(Set(folders) == Set(FuzzTarget.all.map { "\($0.name)" }))
    }
}
