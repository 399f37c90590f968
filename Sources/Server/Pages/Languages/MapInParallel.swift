import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// The same as `map`, on all cores: for work that somebody waits for.
    ///
    /// - Throws: what `transform` throws for the first element for which it does.
    func mapInParallel<Made: Sendable>(_ transform: @Sendable (Element) throws -> Made) throws -> [Made] {
        let results = Mutex<[Int: Result<Made, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { results in try indices.compactMap { try results[$0]?.get() } }
    }
}
