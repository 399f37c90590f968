import Encodings
import Foundation
import Testing

@testable import countersign

@Suite("A file of makers of authenticators")
struct AttestationRootTests {
    @Test("is refused with words when it is missing, empty or no list of certificates")
    func mistakes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: CommandError.self) { try AttestationRoots.read(folder.path + "/nothing.pem") }
        for (name, text) in [
            ("empty", ""), ("text", "hello"),
            ("broken", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
        ] {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            #expect(throws: CommandError.self, "\(name)") { try AttestationRoots.read(file.path) }
        }
        #expect(try AttestationRoots.read(nil).isEmpty)
    }
}
