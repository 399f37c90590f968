import Encodings
import Fuzzing
import HTTPTypes
import Interface
import Testing

@testable import Server

extension DeskTests {
    /// Where the desk's rows name blobs.
    @Suite("Blobs of the desk")
    struct DeskBlobTests {
        @Test("every column in which the name of a blob is found is claimed by one slice, whatever it is called")
        func claimed() async throws {
            try await DeskTests.withDocument { desk, person, document, hand in
                let content = Bytes(text: "%PDF-1.7 not much of one")
                let pdf = try await desk.client.send(
                    .post, "/api/workspace", WorkspaceContent(name: "Paper", pdf: content.base64URL),
                    token: desk.operatorSession.token
                ).decode(WorkspaceDocument.self)
                let texts = try Desk.texts(hand, 30..<32)
                for (one, text) in zip([document, pdf], texts) {
                    let signing = try await desk.sign(one, person, text).decode(Signing.self)
                    #expect(signing.state == .pending)
                }
                let columns = try await desk.organisation.blobColumns()
                #expect(columns == ["signed_files.blob": 1, "workspace_documents.content": 1])

                // The test sees what is not claimed.
                var forgetful = Slice.all
                for place in forgetful.indices {
                    forgetful[place].blobs.removeAll { $0.table == "workspace_documents" }
                }
                let seen = try await desk.organisation.blobColumns(claimedBy: forgetful)
                #expect(seen == ["signed_files.blob": 1, "workspace_documents.content": 0])
            }
        }
    }
}
