import Hummingbird

/// Answers each request in a task of its own.
///
/// A task keeps the memory that its deepest call needed for as long as it lives. A connection lives for hours when it
/// listens to live updates, so it would keep what finding out who asks took, twice what a bare stream takes. The task of
/// a request ends with its answer.
struct RequestTasks<Base: HTTPResponder>: HTTPResponder where Base.Context: Sendable {
    let base: Base

    init(_ base: Base) { self.base = base }

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        // Begun here and not queued, so that a quick answer waits for no thread.
        let task = Task.immediate { try await base.respond(to: request, context: context) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
