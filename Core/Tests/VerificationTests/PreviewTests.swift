import Documents
import Encodings
import Testing
import Verification

@Suite("What a file says before any root is trusted")
struct PreviewTests {
    private func read(_ name: String) throws -> Preview {
        let all = try #require(Forgeries.all)
        let item = try #require((all.good + all.forged).first { $0.name == name })
        return try Preview.read(item.file, suite: all.suite)
    }

    @Test("is its content and the names that it gives itself")
    func content() throws {
        let preview = try read("everything")
        #expect(string(preview.organisation) == "University of Examples")
        #expect(string(preview.signer) == "Ada Admin")
        #expect(preview.content.fields.map { string($0.name) }.sorted() == ["degree", "family_name", "given_name"])
        #expect(preview.content.document.map { string($0.name) } == "degree.pdf")
        // Also with an unknown root: only a pinned root tells who signed.
        #expect(string(try read("a chain to another root of the same names").organisation) == "University of Examples")
    }

    @Test(
        "is nothing when the file was changed or is none of ours",
        arguments: [
            ("a changed payload", .badSignature), ("a plain PDF", .notAPresentation), ("a cut file", .bundleNotJSON),
            ("no certificates", .certificatesMissing),
        ] as [(String, Reason)])
    func refused(name: String, reason: Reason) {
        #expect(throws: reason) { try read(name) }
    }
}
