import Encodings

/// A picture that is being written: Scalable Vector Graphics, without scripts, styles or addresses.
///
/// Lengths are whole tenths of a unit.
struct SVG {
    /// Which part of a text is at its place.
    enum Anchor {
        case start, middle, end
    }

    private var bytes: Bytes

    /// - Parameter title: read to people who cannot see the picture; plain letters.
    init(width: Int, height: Int, title: String) {
        bytes = Bytes(text: "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ")
        bytes += Self.number(width) + [0x20] + Self.number(height)
        bytes += Bytes(text: "\"><title>") + Bytes(text: title) + Bytes(text: "</title>")
    }

    mutating func line(_ from: (Int, Int), _ to: (Int, Int), _ style: String) {
        begin("line", Bytes(text: style))
        attribute("x1", Self.number(from.0))
        attribute("y1", Self.number(from.1))
        attribute("x2", Self.number(to.0))
        attribute("y2", Self.number(to.1))
        close()
    }

    mutating func polyline(_ points: [(Int, Int)], _ style: Bytes) {
        begin("polyline", style)
        var list: Bytes = []
        for (x, y) in points {
            if !list.isEmpty { list.append(0x20) }
            list += Self.place((x, y))
        }
        attribute("points", list)
        close()
    }

    /// A smooth line near these points, from the first to the last (quadratic B-spline).
    mutating func curve(_ points: [(Int, Int)], _ style: String) {
        begin("path", Bytes(text: style))
        var list = Bytes(text: "M") + Self.place(points[0])
        for index in points.indices.dropFirst().dropLast() {
            let (here, next) = (points[index], points[index + 1])
            let isLast = index == points.count - 2
            let end = isLast ? next : ((here.0 + next.0) / 2, (here.1 + next.1) / 2)
            list += Bytes(text: " Q") + Self.place(here) + [0x20] + Self.place(end)
        }
        attribute("d", list)
        close()
    }

    mutating func circle(_ centre: (Int, Int), _ radius: Int, _ style: String) {
        begin("circle", Bytes(text: style))
        attribute("cx", Self.number(centre.0))
        attribute("cy", Self.number(centre.1))
        attribute("r", Self.number(radius))
        close()
    }

    /// - Parameter text: what is not plain text in a page is left out.
    mutating func text(_ text: Bytes, _ place: (Int, Int), _ style: String, _ anchor: Anchor) {
        begin("text", Bytes(text: style))
        attribute("x", Self.number(place.0))
        attribute("y", Self.number(place.1))
        switch anchor {
        case .start: break
        case .middle: attribute("text-anchor", Bytes(text: "middle"))
        case .end: attribute("text-anchor", Bytes(text: "end"))
        }
        bytes.append(0x3E)
        for byte in text where byte >= 0x20 && byte != 0x26 && byte != 0x3C && byte != 0x3E { bytes.append(byte) }
        bytes += Bytes(text: "</text>")
    }

    /// The whole picture.
    consuming func end() -> Bytes { bytes + Bytes(text: "</svg>") }

    private mutating func begin(_ name: String, _ style: Bytes) {
        bytes.append(0x3C)
        bytes += Bytes(text: name)
        attribute("class", style)
    }

    private mutating func attribute(_ name: String, _ value: Bytes) {
        bytes.append(0x20)
        bytes += Bytes(text: name) + [0x3D, 0x22] + value + [0x22]
    }

    private mutating func close() { bytes += [0x2F, 0x3E] }

    private static func place(_ point: (Int, Int)) -> Bytes { number(point.0) + [0x2C] + number(point.1) }

    private static func number(_ tenths: Int) -> Bytes {
        let size = tenths.magnitude
        var text = tenths < 0 ? [0x2D] + decimalBytes(UInt64(size / 10)) : decimalBytes(UInt64(size / 10))
        if size % 10 != 0 { text += [0x2E, UInt8(0x30 + size % 10)] }
        return text
    }
}
