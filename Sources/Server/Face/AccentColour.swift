import Encodings
import Foundation
import Interface

/// A colour in sRGB, eight bits a channel.
struct AccentColour: Equatable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    static let white = AccentColour(red: 255, green: 255, blue: 255)
    static let black = AccentColour(red: 0, green: 0, blue: 0)

    /// The backgrounds of `Web/shell/style.css`: `--paper`, `--sheet` and `--well`, light and dark.
    ///
    /// A test compares them with that file.
    static let light = ["#f1f4f1", "#fcfdfc", "#e6ebe7"].compactMap { AccentColour(Bytes(text: $0)) }
    static let dark = ["#0e1619", "#162023", "#0a1113"].compactMap { AccentColour(Bytes(text: $0)) }

    /// The contrast that WCAG 2 asks of a part of the page that is not text (1.4.11), and of text (1.4.3), in
    /// hundredths.
    static let partContrast: Int64 = 300
    static let textContrast: Int64 = 450

    init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// `#rrggbb`, in either case.
    init?(_ text: Bytes) {
        guard text.count == 7, text[0] == 0x23, let bytes = Hex.decode(Array(text.dropFirst())) else { return nil }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    /// `#rrggbb`, in lower case.
    var text: String { "#" + String(decoding: Hex.encode([red, green, blue]), as: UTF8.self) }

    /// Relative luminance, 0 to 1 (WCAG 2, "relative luminance").
    var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio in hundredths, rounded down: what is not reached does not count (WCAG 2, "contrast ratio").
    func contrast(with other: AccentColour) -> Int64 {
        let (one, two) = (luminance, other.luminance)
        return Int64((max(one, two) + 0.05) / (min(one, two) + 0.05) * 100)
    }

    /// White or black, whichever is easier to read on it.
    var textColour: AccentColour { contrast(with: .white) >= contrast(with: .black) ? .white : .black }

    /// Its contrasts, and the nearest colour that has enough if it has not.
    var check: AccentCheck {
        AccentCheck(
            accent: text, onLight: least(Self.light), onDark: least(Self.dark), ofText: contrast(with: textColour),
            text: textColour.text, holds: holds, nearest: nearest.text)
    }

    private func least(_ backgrounds: [AccentColour]) -> Int64 { backgrounds.map(contrast).min() ?? 0 }

    private var holds: Bool {
        least(Self.light) >= Self.partContrast && least(Self.dark) >= Self.partContrast
            && contrast(with: textColour) >= Self.textContrast
    }

    /// The first that holds on the way to black or white: the hue stays.
    private var nearest: AccentColour {
        for step in 0...255 {
            for end in [Self.black, Self.white] {
                let colour = mixed(with: end, step)
                if colour.holds { return colour }
            }
        }
        return self
    }

    private func mixed(with other: AccentColour, _ step: Int) -> AccentColour {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: (Int(one) * (255 - step) + Int(two) * step + 127) / 255)
        }
        return AccentColour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
