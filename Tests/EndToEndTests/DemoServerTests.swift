import Dispatch
import Foundation
import Glibc
import Testing

@testable import countersign

@Suite("The demo's server", .blocking)
struct DemoServerTests {
    @Test("waiting for its end keeps no processor busy")
    func waiting() throws {
        let folder = try TemporaryFolder()
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let server = try DemoServer(
            directory: folder.path("server"), port: try DemoServer.freePort(), program: Program.countersign)
        let process = unsafe server.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) { _ = Glibc.kill(process, SIGKILL) }
        // On another thread than the one that started it, as in the demo.
        nonisolated(unsafe) var used = 0.0
        let thread = Thread {
            let before = Self.processorTime()
            unsafe server.wait()
            unsafe used = Self.processorTime() - before
            done.signal()
        }
        thread.start()
        done.wait()
        let seconds = unsafe used
        #expect(seconds < 0.2)
        // Once it has ended, waiting ends at once.
        unsafe server.wait()
    }

    /// What this thread has used of a processor, in seconds.
    private static func processorTime() -> Double {
        // A `timespec` as two numbers: which module its members are of depends on what else is compiled with this file.
        var time = (seconds: 0, nanoseconds: 0)
        unsafe withUnsafeMutableBytes(of: &time) { bytes in
            guard let place = unsafe bytes.baseAddress?.assumingMemoryBound(to: timespec.self) else { return }
            _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, place)
        }
        return Double(time.seconds) + Double(time.nanoseconds) / 1e9
    }
}
