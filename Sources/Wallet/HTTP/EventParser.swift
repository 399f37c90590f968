import Encodings
package import Interface

/// Reads a stream of server-sent events (WHATWG HTML section 9.2.6) piece by piece.
///
/// Only `data` matters to us. A line or an event that grows beyond its limit is dropped whole.
package struct EventParser: Sendable {
    /// The longest line and the longest event, in bytes.
    static let maximumLength = 1 << 16

    private var line: Bytes = []
    private var data: Bytes = []
    private var hasData = false
    private var isTooLong = false
    private var isAfterReturn = false
    private var isAtStart = true

    /// A parser at the beginning of a stream.
    package init() {}

    /// Takes the next bytes, however they were cut, and gives the events that they complete.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [LiveEvent] {
        var events: [LiveEvent] = []
        for byte in bytes {
            // CR LF is one end of line, and so is either alone.
            if byte == 0x0A, isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 0x0D
            guard byte == 0x0A || byte == 0x0D else {
                if line.count < Self.maximumLength { line.append(byte) } else { isTooLong = true }
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> LiveEvent? {
        defer { line = [] }
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isAtStart = false
        guard line.isEmpty else {
            field()
            return nil
        }
        defer { (data, hasData, isTooLong) = ([], false, false) }
        guard hasData, !isTooLong else { return nil }
        return try? InterfaceCoding.decode(LiveEvent.self, from: data)
    }

    private mutating func field() {
        let colon = line.firstIndex(of: 0x3A) ?? line.count
        guard Array(line[0..<colon]).equals("data") else { return }
        var value = line[min(colon + 1, line.count)...]
        if value.first == 0x20 { value = value.dropFirst() }
        // Lines count too, also empty ones: there may be any number of them.
        guard data.count + value.count < Self.maximumLength else {
            (data, hasData, isTooLong) = ([], true, true)
            return
        }
        if hasData { data.append(0x0A) }
        hasData = true
        data.append(contentsOf: value)
    }
}
