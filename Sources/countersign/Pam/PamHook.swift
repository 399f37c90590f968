import Foundation

/// A program of the administrator's that locks or unlocks a session.
struct PamHook: Sendable {
    /// How long it may take, in seconds.
    private static let patience = 10.0

    /// Where a session is.
    struct Place: Sendable, Equatable {
        let user: String
        let service: String
        let terminal: String
        /// The name that logind gave it; empty if there is none.
        let session: String
    }

    let command: [String]

    /// Whether something can be a program and its arguments: no shell reads it.
    static func isCommand(_ words: [String]) -> Bool {
        guard let program = words.first, program.hasPrefix("/"), words.count <= 16 else { return false }
        return words.allSatisfy { (1...1_024).contains($0.utf8.count) && !$0.utf8.contains(0) }
    }

    /// Whether it can be run for a session: one that names the session needs its name.
    func works(for place: Place) -> Bool {
        !place.session.isEmpty || !command.contains { $0.contains("{session}") }
    }

    /// Runs it, and ends it if it takes too long.
    ///
    /// - Returns: whether it succeeded.
    func run(at place: Place, state: String) -> Bool {
        let process = Process()
        let values = [
            ("{session}", place.session), ("{user}", place.user), ("{terminal}", place.terminal), ("{state}", state),
        ]
        let words = command.map { word in values.reduce(word) { $0.replacing($1.0, with: $1.1) } }
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "COUNTERSIGN_USER": place.user,
            "COUNTERSIGN_SERVICE": place.service, "COUNTERSIGN_TERMINAL": place.terminal,
            "COUNTERSIGN_SESSION": place.session, "COUNTERSIGN_STATE": state,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        guard (try? process.run()) != nil else { return false }
        guard ended.wait(timeout: .now() + Self.patience) == .success else {
            process.interrupt()
            process.terminate()
            return false
        }
        return process.terminationStatus == 0
    }
}
