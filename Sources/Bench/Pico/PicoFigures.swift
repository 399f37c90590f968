import Foundation

/// What `countersign-bench pico` has seen.
struct PicoFigures: BenchFigures {
    let curves: [Curve]
    let runs: Int
    let handshakesPerSecond: Double

    /// One curve.
    struct Curve: Encodable {
        let curve: String
        let pairing: Spread
        let signIn: Spread
    }

    /// Times in milliseconds.
    struct Spread: Encodable {
        let mean: Double
        let p50: Double
        let p95: Double
        /// Where the first bin begins, how wide each is, and how many times are in each.
        let firstBin: Double
        let binWidth: Double
        let bins: [Int]

        /// - Parameter times: at least one.
        init(_ times: [Double]) {
            let sorted = times.sorted()
            mean = sorted.reduce(0, +) / Double(max(sorted.count, 1))
            p50 = Self.percentile(50, sorted)
            p95 = Self.percentile(95, sorted)
            let (low, high) = (sorted.first ?? 0, sorted.last ?? 0)
            let width = Self.width(high - low)
            let first = (low / width).rounded(.down)
            binWidth = width
            firstBin = first * width
            var bins: [Int] = []
            for time in sorted {
                let bin = Int((time / width).rounded(.down) - first)
                while bins.count <= bin { bins.append(0) }
                bins[bin] += 1
            }
            self.bins = bins
        }

        /// The smallest time that so many of a hundred do not exceed.
        private static func percentile(_ share: Int, _ sorted: [Double]) -> Double {
            guard !sorted.isEmpty else { return 0 }
            return sorted[(sorted.count * share + 99) / 100 - 1]
        }

        /// A round width that makes at most 21 bins.
        private static func width(_ range: Double) -> Double {
            var width = 0.1
            var factors = [2.0, 2.5, 2.0]
            while range / width > 20 {
                width *= factors[0]
                factors.append(factors.removeFirst())
            }
            return width
        }

        /// A line for each bin.
        var histogram: String {
            let longest = Double(max(bins.max() ?? 1, 1))
            return bins.enumerated().map { index, count in
                let bar = String(repeating: "#", count: Int((Double(count) * 40 / longest).rounded(.up)))
                let line = String(format: "  %8.1f ms %5d", firstBin + Double(index) * binWidth, count)
                return bar.isEmpty ? line : "\(line) \(bar)"
            }.joined(separator: "\n")
        }
    }

    var words: String {
        let rows = curves.flatMap { curve in
            [("pairing", curve.pairing), ("sign-in", curve.signIn)].map { name, spread in
                String(
                    format: "%@ %@: mean %.1f ms, p50 %.1f, p95 %.1f (%ld runs)\n", curve.curve, name, spread.mean,
                    spread.p50, spread.p95, runs) + spread.histogram
            }
        }
        return rows.joined(separator: "\n")
            + String(format: "\nthe service's handshakes on p256: %.0f a second and core", handshakesPerSecond)
    }
}
