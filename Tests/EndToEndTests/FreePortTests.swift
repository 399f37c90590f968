import Foundation
import Testing

@testable import countersign

/// Between choosing a port and listening at it lies the start of a server: anyone who asks meanwhile must get another one.
@Suite("Free ports", .blocking)
struct FreePortTests {
    @Test("none is given twice, though nobody listens at it yet")
    func once() throws {
        let ports = try (0..<300).map { _ in try DemoServer.freePort() }
        #expect(Set(ports).count == ports.count)
        #expect(ports.allSatisfy { (20_000..<32_768).contains($0) })
    }

    @Test("the scripts get none that a test has, and have what they got to themselves")
    func scripts() throws {
        let ours = try DemoServer.freePort()
        #expect(try Self.ask(for: ours, times: 1) == [false])
        let other = try #require((20_000..<32_768).first { (try? Self.ask(for: $0, times: 2)) == [true, false] })
        #expect(other != ours)
    }

    /// Lets `scripts/ports.py` choose from one port alone, a few times.
    ///
    /// - Returns: for each time, whether it gave it.
    private static func ask(for port: Int, times: Int) throws -> [Bool] {
        let script = """
            import ports
            ports._range = lambda: range(\(port), \(port) + 1)
            for _ in range(\(times)):
                try:
                    print(ports.free_port() == \(port))
                except OSError:
                    print(False)
            """
        let environment = ["PYTHONPATH": Program.repository.appendingPathComponent("scripts").path]
        let outcome = try Program.run("python3", ["-c", script], environment: environment)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map { $0 == "True" }
    }
}
