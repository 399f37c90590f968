import Synchronization

/// Pages as they were made last, so that the next visit does not wait for the template.
///
/// A page is the same for everybody. It is made again when a file of `Web/` or what it tells of the organisation has
/// changed. There are at most as many as pages times languages.
final class KeptPages: Sendable {
    /// Which page it is.
    struct Place: Hashable, Sendable {
        let path: String
        /// The code of the language that was asked for, which the page names as chosen even if it is in English.
        let language: String
    }

    private struct Kept: Sendable {
        let version: String
        let facts: PageFacts
        let file: WebFolder.File
    }

    private let kept = Mutex<[Place: Kept]>([:])

    /// The page that was made of the same, or what `make` gives.
    ///
    /// - Parameter version: of the files of `Web/`.
    func file(
        at place: Place, version: String, _ facts: PageFacts, _ make: () throws -> WebFolder.File
    ) rethrows -> WebFolder.File {
        if let known = kept.withLock({ $0[place] }), known.version == version, known.facts == facts {
            return known.file
        }
        let made = try make()
        kept.withLock { $0[place] = Kept(version: version, facts: facts, file: made) }
        return made
    }
}
