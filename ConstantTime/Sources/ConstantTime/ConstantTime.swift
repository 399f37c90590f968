import Glibc
import CMemcheck
import Encodings
import EllipticCurves

/// What `scripts/check-constant-time` runs under Valgrind, one part at a time; without an argument it lists what it checks.
///
/// `control` leaks on purpose, the name of a curve runs everything secret on it, `age` does the same for the age format,
/// and `speed` measures without Valgrind.
@main
enum ConstantTime {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst().first)
        } catch let error as Unproven {
            stop(error.reason)
        } catch {
            stop("an operation was refused: \(error)")
        }
    }

    private static func run(_ part: String?) throws {
        guard let part else {
            return (EllipticCurve.allCases.map { "\($0.name)" } + [AgeOperations.name]).forEach { print($0) }
        }
        if part == "speed" { return try Speed.measure() }
        guard memcheck_is_running() != 0 else { throw Unproven(reason: "this does not run under Valgrind") }
        if part == "control" {
            let secret = Bytes(repeating: 0x5A, count: 8).secret
            var sum = Control.leakyJump(secret) &+ Control.leakyAddress(secret, of: [3, 1, 4, 1, 5, 9, 2, 6])
            // Otherwise the optimiser would drop what nobody reads.
            unsafe withUnsafeBytes(of: &sum) { unsafe memcheck_make_defined($0.baseAddress, $0.count) }
            return print(sum)
        }
        if part == AgeOperations.name { return try AgeOperations.run() }
        guard let curve = EllipticCurve.allCases.first(where: { "\($0.name)" == part }) else {
            throw Unproven(reason: "there is no curve \(part)")
        }
        try Operations(curve: curve).run()
    }

    private static func stop(_ reason: String) -> Never {
        print(reason)
        exit(2)
    }
}
