public import Encodings
import BrowserCalls

/// The WebAssembly interface of `Age` and `Archives`, a module of its own: a worker of the vault's page loads it for an
/// export or an import.
///
/// Unlike the other modules it keeps something between two calls: the one file that is written or read. Only the worker
/// that began it can go on with it.
public struct ExportBrowser: Sendable {
    private let functions: [Function]

    /// A module with nothing under way.
    public init() {
        let desk = ExportDesk()
        functions = desk.writing + desk.reading
    }

    /// Answers a call that came as `Frames`, for any bytes.
    public func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }
}
