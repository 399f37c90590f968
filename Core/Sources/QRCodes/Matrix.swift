/// A symbol under construction: modules, and which of them are function patterns that data and masks leave alone.
struct Matrix {
    let version: Version
    let size: Int
    private(set) var modules: [Bool]
    private(set) var isFunction: [Bool]

    /// All function patterns (ISO/IEC 18004 section 6.3), the format bits reserved.
    init(_ version: Version) {
        self.version = version
        size = version.size
        modules = [Bool](repeating: false, count: size * size)
        isFunction = modules
        drawTiming()
        drawFinders()
        drawAlignment()
        drawFormat(0)
        drawVersion()
    }

    /// Whether the module is dark.
    subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    /// Places codewords in pairs of columns, from the right, upwards and downwards in turn (section 7.7.3).
    mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        var right = size - 1
        while right > 0 {
            if right == 6 { right = 5 }
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFunction[row * size + column] {
                    // A few modules may remain; they are light.
                    guard bit < codewords.count * 8 else { return }
                    modules[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
    }

    /// Inverts the data modules where the pattern says so (section 7.8.2).
    mutating func apply(mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isFunction[row * size + column] && Self.inverts(mask, row, column) {
                modules[row * size + column].toggle()
            }
        }
    }

    static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        let product = row * column
        return switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }

    /// Draws the 15 format bits twice (section 7.9.1), and the one module that is always dark.
    mutating func drawFormat(_ bits: Int) {
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            // Down column 8 and leftwards in row 8, both around the timing patterns.
            switch index {
            case 0..<6: set(index, 8, isDark)
            case 6..<8: set(index + 1, 8, isDark)
            case 8: set(8, 7, isDark)
            default: set(8, 14 - index, isDark)
            }
            if index < 8 { set(8, size - 1 - index, isDark) } else { set(size - 15 + index, 8, isDark) }
        }
        set(size - 8, 8, true)
    }

    /// The 18 version bits twice (section 7.10).
    private mutating func drawVersion() {
        guard version.hasVersionInformation else { return }
        let bits = InformationBits.version(version)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            set(index / 3, size - 11 + index % 3, isDark)
            set(size - 11 + index % 3, index / 3, isDark)
        }
    }

    private mutating func drawTiming() {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
    }

    private mutating func drawFinders() {
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for down in -4...4 {
                for across in -4...4 {
                    // Rings by distance: dark centre of 3 x 3, light ring, dark ring, light separator.
                    let distance = max(abs(down), abs(across))
                    set(row + down, column + across, distance != 2 && distance != 4)
                }
            }
        }
    }

    private mutating func drawAlignment() {
        let centres = version.alignmentCentres
        guard let last = centres.last else { return }
        for row in centres {
            for column in centres {
                let isFinder = (row == 6 && (column == 6 || column == last)) || (row == last && column == 6)
                guard !isFinder else { continue }
                for down in -2...2 {
                    for across in -2...2 {
                        set(row + down, column + across, max(abs(down), abs(across)) != 1)
                    }
                }
            }
        }
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard row >= 0, row < size, column >= 0, column < size else { return }
        modules[row * size + column] = isDark
        isFunction[row * size + column] = true
    }
}
