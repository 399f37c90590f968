/// The Prometheus text format, version 0.0.4.
enum PrometheusText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// All series of a registry.
    static func write(_ registry: MetricsRegistry) -> String {
        var text = ""
        var previous = ""
        for (key, value) in registry.snapshot() {
            if key.name != previous {
                text += "# TYPE \(key.name) \(typeName(value.kind))\n"
                previous = key.name
            }
            switch value.kind {
            case .counter, .gauge: text += line(key.name, key.labels, value.number)
            case .histogram: text += histogram(key, value)
            }
        }
        return text
    }

    /// A name in the format's alphabet: everything else becomes an underscore.
    static func name(_ label: String) -> String {
        var bytes = label.utf8.map { isNameByte($0) ? $0 : UInt8(ascii: "_") }
        if let first = bytes.first, (0x30...0x39).contains(first) { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
    }

    private static func histogram(_ key: SeriesKey, _ value: Series.Value) -> String {
        var text = ""
        var total: UInt64 = 0
        for (bound, count) in zip(Series.bounds.map { number($0) } + ["+Inf"], value.buckets) {
            total += count
            text += line(key.name + "_bucket", key.labels + [.init(name: "le", value: bound)], Double(total))
        }
        text += line(key.name + "_sum", key.labels, value.number)
        return text + line(key.name + "_count", key.labels, Double(value.count))
    }

    private static func line(_ name: String, _ labels: [SeriesKey.Label], _ value: Double) -> String {
        let list = labels.map { "\($0.name)=\"\(escape($0.value))\"" }.joined(separator: ",")
        return name + (list.isEmpty ? "" : "{\(list)}") + " " + number(value) + "\n"
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func escape(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
    }

    private static func typeName(_ kind: Series.Kind) -> String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }
}
