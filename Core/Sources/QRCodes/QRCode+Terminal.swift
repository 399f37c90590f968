extension QRCode {
    /// What a terminal shows where nothing is printed.
    public enum TerminalStyle: Sendable {
        /// Sets its own colours (ECMA-48): readable on every background.
        case coloured
        /// Plain text for light letters on a dark background.
        case darkBackground
        /// Plain text for dark letters on a light background.
        case lightBackground
    }

    /// The symbol as lines of UTF-8 half blocks, two rows of modules to a line, each line ending in a line feed.
    ///
    /// - Parameters:
    ///   - style: dark modules must look dark: many readers refuse an inverted symbol.
    ///   - quietZone: light modules around the symbol; the standard asks for four.
    public func terminalText(_ style: TerminalStyle = .coloured, quietZone: Int = 4) -> [UInt8] {
        var text: [UInt8] = []
        let inks = style == .lightBackground
        for row in stride(from: -quietZone, to: size + quietZone, by: 2) {
            if style == .coloured { text.append(contentsOf: "\u{1B}[97;40m".utf8) }
            for column in -quietZone..<size + quietZone {
                // Below the last line there is no module, so nothing is printed there.
                let isBelow = row + 1 >= size + quietZone
                let upper = self[row, column] == inks
                let lower = !isBelow && self[row + 1, column] == inks
                switch (upper, lower) {
                case (true, true): text.append(contentsOf: "█".utf8)
                case (true, false): text.append(contentsOf: "▀".utf8)
                case (false, true): text.append(contentsOf: "▄".utf8)
                case (false, false): text.append(0x20)
                }
            }
            if style == .coloured { text.append(contentsOf: "\u{1B}[0m".utf8) }
            text.append(0x0A)
        }
        return text
    }
}
