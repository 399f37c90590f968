extension QRCode {
    /// Reads the clearest QR code in a picture: turned, slanted, bent, in poor light or in a mirror, of any version.
    ///
    /// A larger picture is looked at from afar first, and as it is last.
    /// - Parameter effort: for each size that it is looked at in.
    public static func read(
        _ picture: GreyPicture, effort: ReadingEffort = .thorough
    ) throws(QRReadingError) -> ScannedCode {
        var smaller = 0
        while picture.pixels.count >> (2 * smaller) > 1_300_000 { smaller += 1 }
        var failure = QRReadingError.notFound
        for halvings in stride(from: smaller, through: 0, by: -1) {
            var size = picture
            for _ in 0..<halvings { size = size.halved() }
            switch ViewsReader(size).read(effort) {
            case let .read(code): return code
            case let .refused(error): throw error
            case .damaged: failure = .damaged
            case nil: break
            }
        }
        throw failure
    }
}

/// Looks at one picture in up to three views: the plain one reads most codes, the others those with noise.
private struct ViewsReader {
    private let picture: GreyPicture

    init(_ picture: GreyPicture) { self.picture = picture }

    /// Nil when nothing looks like a symbol.
    ///
    /// The slow steps come after a quick look at every view.
    func read(_ most: ReadingEffort) -> SymbolDecoder.Outcome? {
        // For all views together; what is begun when it is spent is finished.
        var effort = Effort(most)
        var seen: [PictureReader] = []
        for view in 0..<3 {
            // A code that two views show and cannot read is not noisy: the third would only take time.
            if view == 2, !seen.isEmpty || effort.isSpent { break }
            if view == 1, min(picture.width, picture.height) < 84 { continue }
            let reader = PictureReader(view == 0 ? picture : view == 1 ? picture.halved() : picture.smoothed())
            switch reader.readQuickly(&effort) {
            case .damaged: seen.append(reader)
            case let found?: return found
            case nil: break
            }
        }
        for reader in seen {
            if let found = reader.readThoroughly(&effort) { return found }
        }
        return seen.isEmpty ? nil : .damaged
    }
}

/// Looks for a symbol in one view of a picture.
private final class PictureReader {
    /// By chance half of the known modules agree.
    private static let plausible: Float = 0.68
    private static let clear: Float = 0.9

    /// Where a symbol seems to be.
    private final class Symbol {
        let grid: ModuleGrid
        let patterns: FunctionPatterns
        let decoder: SymbolDecoder

        init(_ grid: ModuleGrid, _ patterns: FunctionPatterns) {
            (self.grid, self.patterns) = (grid, patterns)
            decoder = SymbolDecoder(grid.version)
        }
    }

    private let source: SampleSource
    private let search: AlignmentSearch
    private var symbols: [Symbol] = []

    init(_ picture: GreyPicture) {
        source = SampleSource(picture)
        search = AlignmentSearch(source: source)
    }

    /// Decodes what looks like a symbol, without moving the grid.
    ///
    /// Nil when nothing does.
    func readQuickly(_ effort: inout Effort) -> SymbolDecoder.Outcome? {
        let most = effort.most
        for triple in FinderTriple.likeliest(most.triples, of: FinderSearch(source.map).centres) {
            effort.spend(4_000)
            let locator = SymbolLocator(triple, source)
            for plain in locator.grids(leastTiming: most.leastTiming) {
                effort.spend(2_000)
                let grid = locator.aligned(plain)
                if effort.isSpent { return symbols.isEmpty ? nil : .damaged }
                let patterns = FunctionPatterns(grid.version)
                let agreement = patterns.agreement(grid, source)
                effort.spend(grid.version.size * grid.version.size / 4)
                guard agreement >= Self.plausible else { continue }
                let symbol = Symbol(grid, patterns)
                symbols.append(symbol)
                if let found = decode(grid, symbol.decoder, &effort) { return found }
                // The place of the modules is beyond doubt, so another version or three finders would not help.
                if symbols.count == most.symbols || agreement >= Self.clear { return .damaged }
            }
        }
        return symbols.isEmpty ? nil : .damaged
    }

    /// Moves the grids of the symbols to where they fit best, and decodes again.
    func readThoroughly(_ effort: inout Effort) -> SymbolDecoder.Outcome? {
        for symbol in symbols where !effort.isSpent {
            effort.spend(50_000)
            let refined = symbol.patterns.refined(symbol.grid, source)
            if let found = decode(refined, symbol.decoder, &effort) { return found }
        }
        return nil
    }

    /// Nil when more is wrong than error correction repairs.
    private func decode(
        _ grid: ModuleGrid, _ decoder: SymbolDecoder, _ effort: inout Effort
    ) -> SymbolDecoder.Outcome? {
        let count = grid.version.size * grid.version.size
        effort.spend(8 * count)
        // With one alignment pattern there is nothing to follow that the corners do not follow.
        let followed = search.following(grid)
        let modules = SampledModules(followed, source)
        let plain = decoder.decode(modules)
        if !plain.isDamaged { return plain }
        let middles = modules.middles
        for strength: Float in [0.6, 1.2, 2] where !effort.isSpent {
            effort.spend(3 * count)
            let found = decoder.decode(modules.sharpened(strength, middles))
            if !found.isDamaged { return found }
        }
        return nil
    }
}
