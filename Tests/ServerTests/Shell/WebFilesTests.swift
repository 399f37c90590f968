import Foundation
import Testing
import Web

/// An installed program must find its pages, and on no account those of a path that only its builder had.
@Suite("Where the pages are")
struct WebFilesTests {
    @Test("they are beside the program or in the share folder next to its bin, nowhere else")
    func places() {
        #expect(
            WebFiles.folders(ofProgram: "/usr/bin/countersign") == [
                "/usr/bin/countersign_Web.resources", "/usr/share/countersign/web",
            ])
        #expect(
            WebFiles.folders(ofProgram: "/opt/it/bin/countersign").last == "/opt/it/share/countersign/web")
    }

    @Test("the folder that is found holds the first page")
    func found() {
        #expect(FileManager.default.fileExists(atPath: WebFiles.folder + "/public/landing.mustache"))
    }
}
