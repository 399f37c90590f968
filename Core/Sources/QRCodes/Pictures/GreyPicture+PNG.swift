public import Encodings

extension GreyPicture {
    /// Reads a PNG as shades of grey: every colour type and depth, interlaced too.
    ///
    /// Transparent pixels count as paper.
    ///
    /// - Parameters:
    ///   - png: the file.
    ///   - inflate: unpacks a zlib stream that must have so many bytes; `nil` when it has not.
    public init(png: Bytes, inflate: (_ stream: Bytes, _ count: Int) -> Bytes?) throws(PNGError) {
        let file = try PNGFile(png)
        let passes = PNGPass.all(of: file.header)
        let count = passes.reduce(0) { $0 + $1.byteCount }
        guard count <= PNGFile.mostBytes else { throw .tooLarge }
        guard var rows = inflate(file.packed, count), rows.count == count else { throw .damaged }
        let shades = PNGShades(file)
        var pixels = Bytes(repeating: 255, count: file.header.width * file.header.height)
        var start = 0
        for pass in passes {
            for row in 0..<pass.height {
                try pass.unfilter(&rows, from: start, isFirst: row == 0)
                let y = pass.top + row * pass.down
                for column in 0..<pass.width {
                    let x = pass.left + column * pass.across
                    pixels[y * file.header.width + x] = shades.shade(rows, start + 1, column)
                }
                start += pass.rowBytes
            }
        }
        do {
            try self.init(width: file.header.width, height: file.header.height, pixels: pixels)
        } catch {
            throw .tooLarge
        }
    }
}

/// Rows that are packed together: all of a picture, or one of the seven passes of an interlaced one (section 8.2).
private struct PNGPass {
    let left: Int
    let top: Int
    let across: Int
    let down: Int
    let width: Int
    let height: Int
    /// From a byte to the one that its filter looks back to.
    private let step: Int
    /// A row with the byte that names its filter.
    let rowBytes: Int

    var byteCount: Int { rowBytes * height }

    static func all(of header: PNGFile.Header) -> [PNGPass] {
        guard header.isInterlaced else { return [PNGPass(header, 0, 0, 1, 1)] }
        let passes = [
            PNGPass(header, 0, 0, 8, 8), PNGPass(header, 4, 0, 8, 8), PNGPass(header, 0, 4, 4, 8),
            PNGPass(header, 2, 0, 4, 4), PNGPass(header, 0, 2, 2, 4), PNGPass(header, 1, 0, 2, 2),
            PNGPass(header, 0, 1, 1, 2),
        ]
        // A pass without pixels has no rows either.
        return passes.filter { $0.width > 0 && $0.height > 0 }
    }

    private init(_ header: PNGFile.Header, _ left: Int, _ top: Int, _ across: Int, _ down: Int) {
        (self.left, self.top, self.across, self.down) = (left, top, across, down)
        width = (header.width - left + across - 1) / across
        height = (header.height - top + down - 1) / down
        step = max(1, header.pixelBits / 8)
        rowBytes = 1 + (width * header.pixelBits + 7) / 8
    }

    /// Puts the bytes of a row back (section 9.2).
    func unfilter(_ rows: inout Bytes, from start: Int, isFirst: Bool) throws(PNGError) {
        let kind = rows[start]
        guard kind <= 4 else { throw .damaged }
        if kind == 0 { return }
        for index in 1..<rowBytes {
            let place = start + index
            let left = index > step ? rows[place - step] : 0
            let above = isFirst ? 0 : rows[place - rowBytes]
            let corner = isFirst || index <= step ? 0 : rows[place - rowBytes - step]
            let guess: UInt8 =
                switch kind {
                case 1: left
                case 2: above
                case 3: UInt8((Int(left) + Int(above)) / 2)
                default: Self.nearest(left, above, corner)
                }
            rows[place] &+= guess
        }
    }

    /// Paeth's filter: the one of three that is nearest to what the other two say.
    private static func nearest(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let guess = Int(left) + Int(above) - Int(corner)
        let (toLeft, toAbove) = (abs(guess - Int(left)), abs(guess - Int(above)))
        let toCorner = abs(guess - Int(corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}

/// The shades of pixels.
private struct PNGShades {
    private let header: PNGFile.Header
    /// Of each entry of the palette.
    private var entries: Bytes = []
    /// The samples of the colour that is transparent, if one is.
    private var clear: [Int] = []

    init(_ file: PNGFile) {
        header = file.header
        let transparency = file.transparency
        if header.colour == .palette {
            for index in 0..<file.palette.count / 3 {
                let shade = Self.luma(
                    Int(file.palette[3 * index]), Int(file.palette[3 * index + 1]), Int(file.palette[3 * index + 2]))
                entries.append(
                    Self.onPaper(shade, opacity: index < transparency.count ? Int(transparency[index]) : 255))
            }
        } else if transparency.count == 2 * header.colour.samples {
            for index in 0..<header.colour.samples {
                clear.append(Int(transparency[2 * index]) << 8 | Int(transparency[2 * index + 1]))
            }
        }
    }

    /// The pixel in a column of the row whose samples begin at `start`.
    func shade(_ rows: Bytes, _ start: Int, _ column: Int) -> UInt8 {
        let first = column * header.colour.samples
        let one = sample(rows, start, first)
        switch header.colour {
        case .palette:
            // An entry that is not there is black, as elsewhere.
            return one < entries.count ? entries[one] : 0
        case .grey:
            return clear.first == one ? 255 : UInt8(truncatingIfNeeded: eight(one))
        case .greyAlpha:
            return Self.onPaper(eight(one), opacity: eight(sample(rows, start, first + 1)))
        case .rgb, .rgbAlpha:
            let (green, blue) = (sample(rows, start, first + 1), sample(rows, start, first + 2))
            if header.colour == .rgb, !clear.isEmpty, clear == [one, green, blue] { return 255 }
            let opacity = header.colour == .rgb ? 255 : eight(sample(rows, start, first + 3))
            return Self.onPaper(Self.luma(eight(one), eight(green), eight(blue)), opacity: opacity)
        }
    }

    private func sample(_ rows: Bytes, _ start: Int, _ index: Int) -> Int {
        switch header.depth {
        case 8: return Int(rows[start + index])
        case 16: return Int(rows[start + 2 * index]) << 8 | Int(rows[start + 2 * index + 1])
        default:
            let bit = index * header.depth
            let shift = 8 - header.depth - bit % 8
            return Int(rows[start + bit / 8]) >> shift & ((1 << header.depth) - 1)
        }
    }

    /// A sample as one of 256 shades.
    private func eight(_ sample: Int) -> Int {
        header.depth == 16 ? sample >> 8 : sample * 255 / ((1 << header.depth) - 1)
    }

    /// The weights of ITU-R BT.601, as the pages' scanner has them.
    private static func luma(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (77 * red + 150 * green + 29 * blue) >> 8
    }

    private static func onPaper(_ shade: Int, opacity: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (shade * opacity + 255 * (255 - opacity)) / 255)
    }
}
