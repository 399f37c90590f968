import CoreMetrics
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Server

@Suite("Metrics are Prometheus text")
struct MetricsTests {
    /// Reads the text format as Prometheus does: what does not fit the grammar is an error.
    struct Parsed {
        struct Malformed: Error { let line: String }
        var types: [String: String] = [:]
        var samples: [String: Double] = [:]

        init(_ text: String) throws {
            guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(line: "no end of line") }
            for line in text.split(separator: "\n") {
                if line.hasPrefix("# TYPE ") {
                    let words = line.split(separator: " ")
                    guard words.count == 4, types[String(words[2])] == nil else { throw Malformed(line: String(line)) }
                    types[String(words[2])] = String(words[3])
                    continue
                }
                let pattern =
                    #/([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-zA-Z_][a-zA-Z0-9_]*="([^"\\]|\\["\\n])*",?)+\})? (\S+)/#
                guard let match = line.wholeMatch(of: pattern), let value = Double(match.5) else {
                    throw Malformed(line: String(line))
                }
                let series = String(match.1) + String(match.2 ?? "")
                guard samples.updateValue(value, forKey: series) == nil else { throw Malformed(line: String(line)) }
                let family = ["_bucket", "_sum", "_count"].reduce(String(match.1)) { name, suffix in
                    name.hasSuffix(suffix) && types[String(name.dropLast(suffix.count))] == "histogram"
                        ? String(name.dropLast(suffix.count)) : name
                }
                guard types[family] != nil else { throw Malformed(line: String(line)) }
            }
        }
    }

    @Test("counters, gauges and histograms are written with their types")
    func kinds() throws {
        let registry = MetricsRegistry()
        Counter(label: "a.count", dimensions: [("x", "1")], factory: registry).increment(by: 3)
        Counter(label: "a.count", dimensions: [("x", "1")], factory: registry).increment(by: 4)
        Counter(label: "a.count", dimensions: [("x", "2")], factory: registry).increment()
        Meter(label: "level", factory: registry).set(2.5)
        Gauge(label: "9depth", factory: registry).record(-1)
        Timer(label: "wait", dimensions: [("q", "r")], factory: registry).recordNanoseconds(30_000_000)
        Timer(label: "wait", dimensions: [("q", "r")], factory: registry).recordNanoseconds(20_000_000_000)
        let parsed = try Parsed(PrometheusText.write(registry))
        #expect(parsed.types == ["a_count": "counter", "level": "gauge", "_9depth": "gauge", "wait": "histogram"])
        #expect(parsed.samples["a_count{x=\"1\"}"] == 7)
        #expect(parsed.samples["a_count{x=\"2\"}"] == 1)
        #expect(parsed.samples["level"] == 2.5)
        #expect(parsed.samples["_9depth"] == -1)
        #expect(parsed.samples["wait_bucket{q=\"r\",le=\"0.025\"}"] == 0)
        #expect(parsed.samples["wait_bucket{q=\"r\",le=\"0.05\"}"] == 1)
        #expect(parsed.samples["wait_bucket{q=\"r\",le=\"10\"}"] == 1)
        #expect(parsed.samples["wait_bucket{q=\"r\",le=\"+Inf\"}"] == 2)
        #expect(parsed.samples["wait_count{q=\"r\"}"] == 2)
        #expect(abs((parsed.samples["wait_sum{q=\"r\"}"] ?? 0) - 20.03) < 1e-9)
    }

    @Test("labels cannot break out of their quotes")
    func escaping() throws {
        let registry = MetricsRegistry()
        Counter(label: "x", dimensions: [("a-b", "\"} 1\nforged 2\\")], factory: registry).increment()
        let parsed = try Parsed(PrometheusText.write(registry))
        #expect(parsed.samples.count == 1 && parsed.types.count == 1)
    }

    @Test("the number of series is bounded")
    func bounded() throws {
        let registry = MetricsRegistry()
        for number in 0..<(Limits.metricSeries + 100) {
            Counter(label: "x", dimensions: [("n", String(number))], factory: registry).increment()
        }
        #expect(registry.snapshot().count == Limits.metricSeries)
    }

    @Test("requests are counted by template, method and status, and their time is measured")
    func requests() async throws {
        try await withServer { client in
            for path in ["/api/things/1", "/api/things/2", "/nowhere/1", "/nowhere/2"] {
                try await client.execute(uri: path, method: .get) { _ in }
            }
            let strange = try #require(HTTPRequest.Method("BREW"))
            try await client.execute(uri: "/api/things/1", method: strange) { _ in }
            try await client.execute(uri: "/metrics", method: .get) { response in
                #expect(response.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
                let samples = try Parsed(response.text).samples
                let total = "http_requests_total"
                #expect(
                    samples["\(total){method=\"GET\",route=\"/api/things/{id}\",slice=\"server\",status=\"200\"}"] == 2)
                #expect(samples["\(total){method=\"GET\",route=\"none\",slice=\"none\",status=\"404\"}"] == 2)
                #expect(samples["\(total){method=\"other\",route=\"none\",slice=\"none\",status=\"405\"}"] == 1)
                let count = "http_request_duration_seconds_count"
                #expect(samples["\(count){method=\"GET\",route=\"/api/things/{id}\",slice=\"server\"}"] == 2)
            }
        }
    }
}
