import Storage

/// Whether the data directory can still be written: its disk may be full, or have become one that is only read.
///
/// Asked as often as anybody likes, it tries once a second.
actor StorageProbe {
    /// Bytes: with less room than this, acts fail soon.
    private static let size = 65_536
    private static let pause = Duration.seconds(1)

    private let path: String
    private let clock: ServerClock
    private var last: (time: Duration, failure: (any Error)?)?

    init(directory: DataDirectory, clock: ServerClock) {
        path = directory.file("probe")
        self.clock = clock
    }

    /// - Throws: why nothing can be written.
    func check() async throws {
        let now = clock.uptime()
        if let last, now - last.time < Self.pause {
            if let failure = last.failure { throw failure }
            return
        }
        do {
            try await BlockingThreads.run { [path] in
                try DurableFile.write(path, [UInt8](repeating: 0, count: Self.size))
            }
            last = (now, nil)
        } catch {
            last = (now, error)
            throw error
        }
    }
}
