import Encodings
import Foundation
import QRCodes

/// A QR code for a terminal.
enum QRPicture {
    /// Shows the code of a text on standard error, when a person looks at a terminal that is wide enough.
    ///
    /// Elsewhere the text alone, which is always shown too, must do.
    static func show(_ text: String) {
        guard isatty(STDERR_FILENO) == 1, let code = try? QRCode(encoding: Bytes(text: text), errorCorrection: .low),
            code.size + 2 * quietZone <= columns
        else { return }
        Terminal.note(String(decoding: code.terminalText(.coloured, quietZone: quietZone), as: UTF8.self))
    }

    private static let quietZone = 4

    /// How wide the terminal is.
    private static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return 0 }
        return Int(size.ws_col)
    }
}
