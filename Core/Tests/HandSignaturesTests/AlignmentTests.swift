import Testing

@testable import HandSignatures

@Suite("Alignment")
struct AlignmentTests {
    private static func signature(_ points: Int, seed: UInt64) -> PreparedSignature {
        var state = seed
        let channels = Channel.allCases.map { _ in
            var value = 0.0
            return (0..<points).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                value = 0.9 * value + Double(state >> 40) / Double(1 << 24) - 0.5
                return value
            }
        }
        return PreparedSignature(channels, globals: [Double](repeating: 0, count: Globals.count))
    }

    /// The recurrence as it is defined, row by row.
    private static func plain(_ a: PreparedSignature, _ b: PreparedSignature) -> Double {
        let (n, m) = (a.count, b.count)
        func cost(_ i: Int, _ j: Int) -> Double {
            (0..<Channel.aligningCount).reduce(0) { sum, channel in
                let d = Double(a.channels[channel * a.stride + i]) - Double(b.channels[channel * b.stride + j])
                return sum + d * d
            }.squareRoot()
        }
        var ways = [[Double]](repeating: [Double](repeating: .infinity, count: m + 1), count: n + 1)
        ways[0][0] = 0
        for i in 1...n {
            for j in 1...m {
                let cost = cost(i - 1, j - 1)
                ways[i][j] = min(ways[i - 1][j - 1] + 2 * cost, ways[i - 1][j] + cost, ways[i][j - 1] + cost)
            }
        }
        return ways[n][m]
    }

    @Test(
        "costs are those of the recurrence, whatever the lengths",
        arguments: [(16, 16), (16, 17), (17, 16), (23, 90), (90, 23), (64, 65), (101, 99)])
    func costs(_ n: Int, _ m: Int) {
        let (a, b) = (Self.signature(n, seed: 1), Self.signature(m, seed: 2))
        let expected = Self.plain(a, b)
        #expect(abs(Double(Costs(a, b).total) - expected) < 1e-4 * expected)
        let path = Alignment(a, b).path
        #expect(path.first.map { $0 == (0, 0) } == true && path.last.map { $0 == (n - 1, m - 1) } == true)
        for (before, after) in zip(path, path.dropFirst()) {
            let step = (after.first - before.first, after.second - before.second)
            #expect(step == (1, 1) || step == (1, 0) || step == (0, 1))
        }
        // The way costs what the recurrence says.
        var sum = 0.0
        for (number, point) in path.enumerated() {
            var square = 0.0
            for channel in 0..<Channel.aligningCount {
                let d =
                    Double(a.channels[channel * a.stride + point.first])
                    - Double(b.channels[channel * b.stride + point.second])
                square += d * d
            }
            let isBoth = number == 0 || path[number - 1].first < point.first && path[number - 1].second < point.second
            sum += (isBoth ? 2 : 1) * square.squareRoot()
        }
        #expect(abs(sum - expected) < 1e-3 * expected)
    }

    @Test("a signature beside itself differs by nothing in any channel")
    func same() {
        let one = Self.signature(77, seed: 3)
        let values = Alignment(one, one).values
        #expect(values[0] < 1e-2 && values[1] == 0 && values[2] == 0 && values[3] == 0 && values[4] == 0)
        for value in values[5...] { #expect(value == 0) }
    }

    @Test("a point, a line and a lift of the pen have finite scores, and are like themselves")
    func odd() throws {
        func capture(_ x: (Int) -> Int32, _ y: (Int) -> Int32, _ time: (Int) -> Int64) throws -> Capture {
            try Capture(
                tool: .pen, pressureLevels: 0,
                samples: (0..<40).map { Capture.Sample(time: time($0), x: x($0), y: y($0)) })
        }
        let odd = [
            try capture({ _ in 5 }, { _ in 5 }, { Int64($0) * 10_000 }),
            try capture({ _ in 5 }, { Int32($0) }, { Int64($0) * 10_000 }),
            try capture({ Int32($0) }, { _ in -3 }, { Int64($0) * 5_000 }),
            try capture({ Int32($0) }, { Int32($0 * $0) }, { Int64($0) * 10_000 + ($0 > 20 ? 20_000_000 : 0) }),
            try capture({ Int32($0 % 2) * 1_000_000 }, { _ in -1_000_000 }, { Int64($0) * 2_600 }),
        ]
        for capture in odd {
            let one = try PreparedSignature(capture, .pen())
            let enrolment = Enrolment([one, one, one, one, one])
            for other in odd {
                let inputs = enrolment.inputs(of: try PreparedSignature(other, .pen()))
                #expect(inputs.count == Enrolment.inputs)
                for input in inputs { #expect(input.isFinite) }
            }
        }
    }

    @Test("clocks are repaired, and refused when there is nothing to repair")
    func clocks() throws {
        func capture(_ times: [Int64]) throws -> Capture {
            try Capture(
                tool: .pen, pressureLevels: 0, samples: times.map { Capture.Sample(time: $0, x: 0, y: 0) })
        }
        let steps = (0..<20).map { Int64($0) * 10_000 }
        var jumping = steps
        jumping[7] = jumping[6]
        jumping[12] = 0
        let times = try capture(jumping).repairedTimes(step: 1_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times[7] == times[6] + 1_000)
        #expect(throws: CaptureError.brokenClock) { try capture(steps.map { _ in 5 }).repairedTimes(step: 1_000) }
        #expect(throws: CaptureError.brokenClock) { try capture(steps.reversed()).repairedTimes(step: 1_000) }
        #expect(throws: CaptureError.tooShort) { try capture(steps.map { $0 / 100 }).repairedTimes(step: 1_000) }
        #expect(throws: CaptureError.tooLong) { try capture(steps.map { $0 * 20_000 }).repairedTimes(step: 1_000) }
        #expect(throws: CaptureError.tooFewSamples(7)) { try capture(Array(steps.prefix(7))) }
        #expect(throws: CaptureError.outOfRange(sample: 1)) { try capture(steps.map { $0 * 1_000_000_000 }) }
    }
}
