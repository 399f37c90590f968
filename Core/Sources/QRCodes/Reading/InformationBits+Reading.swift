extension InformationBits {
    /// Level and mask, the nearest to what is written in the symbol's two places first.
    ///
    /// Any two formats differ in at least seven bits, so three wrong bits are put right.
    static func formats(_ modules: SampledModules) -> [(level: QRCode.ErrorCorrection, mask: Int)] {
        var found: [(level: QRCode.ErrorCorrection, mask: Int)] = []
        var distances: [Int] = []
        for bits in [around(modules), apart(modules)] {
            for level in QRCode.ErrorCorrection.allCases {
                for mask in 0..<8 {
                    let distance = (format(level, mask: mask) ^ bits).nonzeroBitCount
                    guard distance <= 3 else { continue }
                    if found.contains(where: { $0.level == level && $0.mask == mask }) { continue }
                    let place = distances.firstIndex { $0 > distance } ?? found.count
                    found.insert((level, mask), at: place)
                    distances.insert(distance, at: place)
                }
            }
        }
        return found
    }

    /// The version that is written in the symbol; nil when neither place is legible.
    static func version(_ modules: SampledModules) -> Version? {
        let size = modules.size
        var (byRow, byColumn) = (0, 0)
        for index in 0..<18 {
            if modules[index / 3, size - 11 + index % 3] { byRow |= 1 << index }
            if modules[size - 11 + index % 3, index / 3] { byColumn |= 1 << index }
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
