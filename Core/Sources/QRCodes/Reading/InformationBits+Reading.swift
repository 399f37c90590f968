extension InformationBits {
    /// A level and mask that may be written in a symbol.
    struct Format {
        let level: QRCode.ErrorCorrection
        let mask: Int
        /// Whether it is so in a mirror.
        let isMirrored: Bool
        /// How many bits differ in the better of both places.
        let distance: Int
    }

    /// Adds levels and masks that differ in at most three bits, the likeliest first and three at most: any two differ in at
    /// least seven.
    static func add(_ modules: SampledModules, isMirrored: Bool, to found: inout [Format]) {
        let (around, apart) = (around(modules), apart(modules))
        for level in QRCode.ErrorCorrection.allCases {
            for mask in 0..<8 {
                let bits = format(level, mask: mask)
                let distance = min((bits ^ around).nonzeroBitCount, (bits ^ apart).nonzeroBitCount)
                guard distance <= 3 else { continue }
                let format = Format(level: level, mask: mask, isMirrored: isMirrored, distance: distance)
                found.insert(format, most: 3) { $0.distance > $1.distance }
            }
        }
    }

    /// The version that is written in the symbol; nil when neither place is legible.
    ///
    /// Only its 36 modules are looked at: most of what is asked here is no symbol, or another one.
    static func version(_ grid: ModuleGrid, _ source: SampleSource) -> Version? {
        let first = grid.version.size - 11
        var (byRow, byColumn) = (0, 0)
        for index in 0..<18 {
            let along = Float(index / 3) + 0.5
            let across = Float(first + index % 3) + 0.5
            if source.darkness(grid.place(across, along)) > 0 { byRow |= 1 << index }
            if source.darkness(grid.place(along, across)) > 0 { byColumn |= 1 << index }
        }
        var best: Version?
        var least = 4
        for number in 7...40 {
            let bits = version(Version(number: number))
            let distance = min((bits ^ byRow).nonzeroBitCount, (bits ^ byColumn).nonzeroBitCount)
            if distance < least { (best, least) = (Version(number: number), distance) }
        }
        return best
    }

    /// The bits around the upper left finder, where `Matrix.drawFormat` puts them.
    private static func around(_ modules: SampledModules) -> Int {
        var bits = 0
        for index in 0..<15 {
            let isDark =
                switch index {
                case 0..<6: modules[index, 8]
                case 6..<8: modules[index + 1, 8]
                case 8: modules[8, 7]
                default: modules[8, 14 - index]
                }
            if isDark { bits |= 1 << index }
        }
        return bits
    }

    /// The same bits beside the other two finders.
    private static func apart(_ modules: SampledModules) -> Int {
        let size = modules.size
        var bits = 0
        for index in 0..<15 where index < 8 ? modules[8, size - 1 - index] : modules[size - 15 + index, 8] {
            bits |= 1 << index
        }
        return bits
    }
}
