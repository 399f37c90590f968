import Foundation

/// Runs the steps of a story, says each as it is done, and counts.
final class DemoReport {
    /// One step that was done.
    struct Step: Encodable {
        let name: String
        let ok: Bool
        let ms: Double
        /// What it showed, or why it failed.
        let detail: String
    }

    private(set) var steps: [Step] = []
    private let isQuiet: Bool
    private let clock = ContinuousClock()

    /// - Parameter isQuiet: says nothing, for `--json`.
    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    /// Whether all steps so far were well.
    var isWell: Bool { steps.allSatisfy(\.ok) }

    /// Does one step.
    ///
    /// The story goes on only if it succeeds.
    ///
    /// - Parameter body: returns the result and what to say about it.
    func step<Value>(_ name: String, _ body: () async throws -> (Value, String)) async throws -> Value {
        let start = clock.now
        do {
            let (value, detail) = try await body()
            finish(name, ok: true, since: start, detail)
            return value
        } catch {
            finish(name, ok: false, since: start, "\(error)")
            throw DemoFailure(step: name, reason: "\(error)")
        }
    }

    /// Does one step without a result.
    func step(_ name: String, _ body: () async throws -> String) async throws {
        try await step(name) { ((), try await body()) }
    }

    private func finish(_ name: String, ok: Bool, since start: ContinuousClock.Instant, _ detail: String) {
        let ms = Double(start.duration(to: clock.now) / .microseconds(1)) / 1000
        steps.append(Step(name: name, ok: ok, ms: ms, detail: detail))
        guard !isQuiet else { return }
        let number = String(repeating: " ", count: steps.count < 10 ? 1 : 0) + String(steps.count)
        let time = String(format: "%7.1f ms", ms)
        print("\(number) \(ok ? "ok  " : "FAIL")\(time)  \(name)")
        for line in detail.split(separator: "\n") { print("                   \(line)") }
        fflush(nil)
    }

    /// The last line, or with `json` all as one object.
    func conclude(json: Bool) throws {
        guard json else {
            print("demo: \(steps.count) steps, \(steps.count(where: \.ok)) ok")
            return
        }
        struct Summary: Encodable {
            let steps: [Step]
            let ok: Bool
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(Summary(steps: steps, ok: isWell)), as: UTF8.self))
    }
}

/// A step of the demo that did not show what it should.
struct DemoFailure: Error, CustomStringConvertible {
    let step: String
    let reason: String
    var description: String { "\(step): \(reason)" }
}

/// Fails a step unless the condition holds.
func demand(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws {
    guard condition else { throw DemoFailure(step: "demand", reason: otherwise()) }
}
