extension QRCode {
    /// Reads the clearest QR code in a picture: turned, slanted, bent, in poor light or in a mirror, of any version.
    ///
    /// A frame of a camera takes some milliseconds. A larger picture is looked at from afar first, and as it is last.
    public static func read(_ picture: GreyPicture) throws(QRReadingError) -> ScannedCode {
        var smaller = 0
        while picture.pixels.count >> (2 * smaller) > 1_300_000 { smaller += 1 }
        var failure = QRReadingError.notFound
        for halvings in stride(from: smaller, through: 0, by: -1) {
            var size = picture
            for _ in 0..<halvings { size = size.halved() }
            for view in View.allCases {
                // A code that two views show and cannot read is not noisy: the third would only take time.
                if case .smoothed = view, failure == .damaged { continue }
                guard let seen = view.of(size) else { continue }
                switch PictureReader(seen).read() {
                case let .read(code): return code
                case let .refused(error): throw error
                case .damaged: failure = .damaged
                case nil: break
                }
            }
        }
        throw failure
    }

    /// How a picture is looked at: the plain view reads most codes, the others those with noise.
    private enum View: CaseIterable {
        case plain
        case halved
        case smoothed

        func of(_ picture: GreyPicture) -> GreyPicture? {
            switch self {
            case .plain: picture
            case .halved: min(picture.width, picture.height) >= 84 ? picture.halved() : nil
            case .smoothed: picture.smoothed()
            }
        }
    }
}

/// Looks for a symbol in one view of a picture.
private struct PictureReader {
    /// So many threes of finders are looked at, and so many of those that look like a symbol are decoded.
    private static let mostTriples = 8
    private static let mostSymbols = 2
    /// By chance half of the known modules agree.
    private static let plausible: Float = 0.68
    private static let clear: Float = 0.9

    private let source: SampleSource
    private let search: AlignmentSearch

    init(_ picture: GreyPicture) {
        source = SampleSource(picture)
        search = AlignmentSearch(source: source)
    }

    /// Nil when nothing looks like a symbol.
    func read() -> SymbolDecoder.Outcome? {
        var outcome: SymbolDecoder.Outcome?
        var symbols = 0
        for triple in FinderTriple.likeliest(Self.mostTriples, of: FinderSearch(source.map).centres) {
            for grid in SymbolLocator(triple, source).grids() {
                let patterns = FunctionPatterns(grid.version)
                let agreement = patterns.agreement(grid, source)
                guard agreement >= Self.plausible else { continue }
                symbols += 1
                switch read(grid, patterns, agreement) {
                case .damaged:
                    outcome = .damaged
                    // There is no doubt where the modules are; another version or three finders would not help.
                    if agreement >= Self.clear { return outcome }
                case let found: return found
                }
                if symbols == Self.mostSymbols { return outcome }
            }
        }
        return outcome
    }

    private func read(
        _ grid: ModuleGrid, _ patterns: FunctionPatterns, _ agreement: Float
    ) -> SymbolDecoder.Outcome {
        let decoder = SymbolDecoder(grid.version)
        if let found = decode(grid, decoder) { return found }
        let refined = patterns.refined(grid, source)
        return decode(refined, decoder) ?? .damaged
    }

    private func decode(_ grid: ModuleGrid, _ decoder: SymbolDecoder) -> SymbolDecoder.Outcome? {
        // With one alignment pattern there is nothing to follow that the corners do not follow.
        let followed = search.following(grid)
        let modules = SampledModules(followed, source)
        let plain = decoder.decode(modules)
        if !plain.isDamaged { return plain }
        let middles = modules.middles
        for strength: Float in [0.6, 1.2, 2] {
            let found = decoder.decode(modules.sharpened(strength, middles))
            if !found.isDamaged { return found }
        }
        return nil
    }
}
