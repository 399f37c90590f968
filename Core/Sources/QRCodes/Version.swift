/// One of the 40 sizes of a symbol.
struct Version: Equatable {
    /// 1 to 40.
    let number: Int

    /// Modules on a side.
    var size: Int { 17 + 4 * number }

    /// The centres of alignment patterns, as rows and as columns (annex E): evenly spread between 6 and the seventh
    /// from the far end; if one gap is smaller, it is the first.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let gaps = count - 1
        let step = ((size - 13) + 2 * gaps - 1) / (2 * gaps) * 2
        // The standard rounds one version down instead of up.
        let gap = number == 32 ? 26 : step
        return [6] + (1..<count).map { size - 7 - (gaps - $0) * gap }
    }

    /// Whether the version is written into the symbol.
    var hasVersionInformation: Bool { number >= 7 }

    /// Codewords of a symbol: data and error correction together.
    var codewordCount: Int {
        // Finder patterns with separators and format bits, then timing patterns.
        var used = 3 * 64 + 31 + 2 * (size - 16)
        let centres = alignmentCentres.count
        if centres > 0 {
            // Three places are taken by finders; those on the timing patterns share five modules with them.
            used += (centres * centres - 3) * 25 - 2 * (centres - 2) * 5
        }
        if hasVersionInformation { used += 36 }
        return (size * size - used) / 8
    }

    /// The first version from `first` on whose data codewords hold `payload`.
    static func smallest(from first: Int, holding payload: Payload, _ level: QRCode.ErrorCorrection) -> Version? {
        for number in max(1, first)..<41 {
            let version = Version(number: number)
            if payload.bitCount(version) <= 8 * BlockLayout(version, level).dataCount { return version }
        }
        return nil
    }
}
