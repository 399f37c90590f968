/// What an SVG logo may hold.
///
/// Everything not named here is left out.
enum SVGRules {
    /// Shapes, texts, colour gradients and cutting.
    ///
    /// Neither `use` nor `pattern`, `mask`, `filter` or `marker`: a few hundred bytes of them can keep a browser busy for
    /// hours. Neither `image` nor `foreignObject`, `script`, `style`, `a` or animations.
    static let elements: Set<String> = [
        "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
        "tspan", "linearGradient", "radialGradient", "stop", "clipPath",
    ]
    /// Those that show something.
    static let shown: Set<String> = [
        "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
    ]
    /// Those whose characters are kept.
    static let worded: Set<String> = ["title", "desc", "text", "tspan"]
    /// Parts that drawing programs add for themselves: the form does not say that they were left out.
    static let unsaid: Set<String> = ["metadata", "xmlns", "version", "style", "width", "height", "viewBox"]

    /// Attributes, and properties of `style`, whose value ``isPlain(_:)``.
    private static let plain: Set<String> = [
        "id", "d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "dx",
        "dy",
        "width", "height", "transform", "gradientTransform", "gradientUnits", "clipPathUnits", "spreadMethod", "offset",
        "fill-rule", "clip-rule", "fill-opacity", "stroke-opacity", "stop-opacity", "opacity", "stroke-width",
        "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stop-color", "color", "font-family", "font-size",
        "font-weight", "font-style", "text-anchor", "letter-spacing", "dominant-baseline", "display", "visibility",
    ]
    /// Those that may point to a gradient or cut of the same file.
    private static let pointing: Set<String> = ["fill", "stroke", "clip-path"]

    /// Functions that a value may have: transformations and colours.
    private static let functions: Set<String> = [
        "matrix", "translate", "scale", "rotate", "skewX", "skewY", "rgb", "rgba", "hsl", "hsla",
    ]

    /// The attribute as it is kept; `nil` to leave it out.
    static func kept(_ name: String, _ value: String, of element: String) -> (name: String, value: String)? {
        if name == "href" || name == "xlink:href" {
            // A gradient may take its colours from another one.
            return element.hasSuffix("Gradient") && isOwn(value) ? ("href", value) : nil
        }
        if pointing.contains(name), let id = pointed(value) { return isOwn("#" + id) ? (name, "url(#\(id))") : nil }
        guard plain.contains(name) || (pointing.contains(name) && name != "clip-path"), isPlain(value) else {
            return nil
        }
        return (name, value)
    }

    /// The properties of a `style` attribute; each is an attribute too.
    static func properties(_ style: String) -> [(name: String, value: String)] {
        style.split(separator: ";").compactMap { property in
            guard let colon = property.firstIndex(of: ":") else { return nil }
            let name = property[..<colon].filter { !$0.isWhitespace }
            return (String(name), property[property.index(after: colon)...].trimmed)
        }
    }

    /// What `url(#id)` names; quotes may be around it.
    private static func pointed(_ value: String) -> String? {
        let trimmed = value[...].trimmed
        guard trimmed.hasPrefix("url("), trimmed.hasSuffix(")") else { return nil }
        let inner = trimmed.dropFirst(4).dropLast().filter { $0 != "'" && $0 != "\"" }
        return inner.hasPrefix("#") ? String(inner.dropFirst()) : ""
    }

    /// `#id` in the same file.
    private static func isOwn(_ value: String) -> Bool {
        value.hasPrefix("#") && value.utf8.count > 1
            && value.utf8.dropFirst().allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    /// Letters, digits and the few signs of numbers, paths, colours and names; functions only of the known ones.
    private static func isPlain(_ value: String) -> Bool {
        let signs = Set(" \t\r\n.,+-()%#_'".utf8)
        guard value.utf8.allSatisfy({ isLetterOrDigit($0) || signs.contains($0) }) else { return false }
        let parts = value.split(separator: "(", omittingEmptySubsequences: false)
        return parts.dropLast().allSatisfy { part in
            let name = part[...].trimmed.reversed().prefix { $0.isLetter }.reversed()
            return functions.contains(String(name))
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

extension Substring {
    /// Without white space at both ends.
    fileprivate var trimmed: String {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
