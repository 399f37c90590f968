import Foundation
import Mustache

/// The bank's templates, style and scripts, from the folder beside the program.
struct PageLibrary: Sendable {
    let library: MustacheLibrary
    let files: [String: (bytes: [UInt8], type: String)]

    init() async throws {
        let folder = (Bundle.module.resourcePath ?? Bundle.module.bundlePath) + "/Pages"
        library = try await MustacheLibrary(directory: folder)
        var files: [String: (bytes: [UInt8], type: String)] = [:]
        for (name, type) in [("style.css", "text/css"), ("wait.js", "text/javascript")] {
            files[name] = (Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))), type)
        }
        self.files = files
    }
}
