import Foundation

@testable import countersign

extension DemoStory {
    /// The story of a new server, as far as a student whose identity was checked.
    static func identified(at server: DemoServer, in folder: TemporaryFolder) async throws -> DemoStory {
        let story = DemoStory(
            cast: DemoCast(server: server, folder: folder.url.path), report: DemoReport(isQuiet: true))
        let root = try await story.setUp()
        _ = try await story.delegate()
        try await story.signUp(DemoCast.student, rootFingerprint: root)
        try await story.identify(DemoCast.student, given: "Stella", family: "Student", number: "s1234567")
        return story
    }
}
