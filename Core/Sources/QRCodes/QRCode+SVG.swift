extension QRCode {
    /// The dark modules as SVG path data, one unit a module, shifted by the quiet zone.
    public func svgPath(quietZone: Int = 4) -> [UInt8] {
        var path: [UInt8] = []
        for row in 0..<size {
            var column = 0
            while column < size {
                guard self[row, column] else {
                    column += 1
                    continue
                }
                let start = column
                while self[row, column] { column += 1 }
                path.append(0x4D)
                path.append(decimal: start + quietZone)
                path.append(0x20)
                path.append(decimal: row + quietZone)
                path.append(0x68)
                path.append(decimal: column - start)
                path.append(contentsOf: [0x76, 0x31, 0x68, 0x2D])
                path.append(decimal: column - start)
                path.append(0x7A)
            }
        }
        return path
    }

    /// A whole SVG image, black on white.
    ///
    /// It has no size, the page decides; and no script and no style element, which a strict policy would refuse.
    public func svg(quietZone: Int = 4) -> [UInt8] {
        var image: [UInt8] = []
        let side = size + 2 * quietZone
        image.append(contentsOf: "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ".utf8)
        image.append(decimal: side)
        image.append(0x20)
        image.append(decimal: side)
        image.append(contentsOf: "\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h".utf8)
        image.append(decimal: side)
        image.append(0x76)
        image.append(decimal: side)
        image.append(contentsOf: "H0z\"/><path fill=\"#000\" d=\"".utf8)
        image.append(contentsOf: svgPath(quietZone: quietZone))
        image.append(contentsOf: "\"/></svg>\n".utf8)
        return image
    }
}

extension [UInt8] {
    /// Appends the digits of a number that is not negative.
    fileprivate mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(0x30 + UInt8(number % 10))
    }
}
