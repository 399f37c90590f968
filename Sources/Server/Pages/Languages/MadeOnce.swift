import Synchronization

/// Something that takes long to make and that not everybody needs: made when it is first asked for, and once.
final class MadeOnce<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let made = Mutex<Result<Value, any Error>?>(nil)

    init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

    /// Who asks while it is being made waits for it.
    ///
    /// - Throws: what making it threw, each time.
    var value: Value {
        get throws {
            let result = made.withLock { made in
                let found = made ?? Result { try make() }
                made = found
                return found
            }
            return try result.get()
        }
    }
}
