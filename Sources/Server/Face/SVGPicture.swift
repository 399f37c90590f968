import Encodings

/// An SVG, written again with only what a logo may have.
///
/// It is only ever shown as a picture, where scripts do not run. The allow-list keeps the rest harmless if the picture
/// is opened by itself.
struct SVGPicture: Equatable {
    /// The new file.
    let bytes: Bytes
    let width: Int
    let height: Int
    /// Names of elements and attributes that were left out, each once; the first few.
    let leftOut: [String]

    /// The larger side that the written picture states, in place of its own units.
    private static let side = 512.0
    /// So many names are told.
    private static let told = 12

    init(_ file: Bytes) throws(SVGFault) {
        let parts = try SVGReader.parts(file)
        guard case .begin(name: "svg", let attributes)? = parts.first else { throw .malformed(offset: 0) }
        let box = try Self.box(attributes)
        let scale = Self.side / max(box[2], box[3])
        (width, height) = (max(1, Int(box[2] * scale)), max(1, Int(box[3] * scale)))
        var writer = SVGWriter()
        let own = writer.kept(attributes.filter { !["width", "height", "id", "x", "y"].contains($0.name) }, of: "svg")
        writer.begin(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", String(width)), ("height", String(height)),
                ("viewBox", box.map(Self.text).joined(separator: " ")),
            ] + own)
        for part in parts.dropFirst() { writer.add(part) }
        guard writer.shows else { throw .empty }
        bytes = Bytes(text: writer.text)
        leftOut = Array(writer.leftOut.sorted().prefix(Self.told))
    }

    /// `viewBox`, or what `width` and `height` say of one.
    private static func box(_ attributes: [(name: String, value: String)]) throws(SVGFault) -> [Double] {
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        let box: [Double]
        if let text = value("viewBox") {
            box = text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        } else {
            box = [0, 0] + [value("width"), value("height")].compactMap { $0.flatMap(length) }
        }
        guard box.count == 4, box.allSatisfy({ abs($0) <= 100_000 }), box[2] >= 1, box[3] >= 1,
            max(box[2], box[3]) / min(box[2], box[3]) <= 32
        else { throw .noSize }
        return box
    }

    /// A number with or without a unit: only the proportion counts.
    private static func length(_ text: String) -> Double? {
        let units = ["px", "pt", "mm", "cm", "in", "pc"]
        let unit = units.first { text.hasSuffix($0) } ?? ""
        return Double(text.dropLast(unit.count))
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

/// Writes the elements and attributes that ``SVGRules`` lets through.
private struct SVGWriter {
    private(set) var text = ""
    private(set) var leftOut: Set<String> = []
    /// Whether anything is drawn.
    private(set) var shows = false
    private var open: [String] = []
    /// How deep the reader is in an element that is left out.
    private var depthOut = 0

    mutating func add(_ part: SVGReader.Part) {
        switch part {
        case .begin(let name, let attributes):
            guard depthOut == 0, SVGRules.elements.contains(name), name != "svg" else {
                if depthOut == 0 { note(name) }
                return depthOut += 1
            }
            begin(name, kept(attributes, of: name))
        case .end(let name):
            if depthOut > 0 { return depthOut -= 1 }
            text += "</\(name)>"
            _ = open.popLast()
        case .text(let characters):
            guard depthOut == 0, let last = open.last, SVGRules.worded.contains(last) else { return }
            text += Self.visible(characters).escapedForMarkup
        }
    }

    mutating func begin(_ name: String, _ attributes: [(name: String, value: String)]) {
        text += "<\(name)" + attributes.map { " \($0.name)=\"\($0.value.escapedForMarkup)\"" }.joined() + ">"
        open.append(name)
        if SVGRules.shown.contains(name) { shows = true }
    }

    /// The attributes that are kept; those of `style` count more than the others, as in a browser.
    mutating func kept(
        _ attributes: [(name: String, value: String)], of element: String
    ) -> [(name: String, value: String)] {
        let styles = attributes.filter { $0.name == "style" }.flatMap { SVGRules.properties($0.value) }
        var kept: [(name: String, value: String)] = []
        for (name, value) in styles + attributes where !kept.contains(where: { $0.name == name }) {
            // A cut within a cut within a cut multiplies.
            let isNested = name == "clip-path" && (open.contains("clipPath") || element == "clipPath")
            guard !isNested, let one = SVGRules.kept(name, value, of: element),
                !kept.contains(where: { $0.name == one.name })
            else {
                note(name)
                continue
            }
            kept.append(one)
        }
        return kept
    }

    private mutating func note(_ name: String) {
        guard !SVGRules.unsaid.contains(name), !name.contains(":") || name == "xlink:href" else { return }
        leftOut.insert(name)
    }

    /// Control characters are not XML.
    private static func visible(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" })
        return String(scalars)
    }
}
