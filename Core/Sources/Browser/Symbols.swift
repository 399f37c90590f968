import BrowserCalls
import Encodings
import QRCodes

extension Browser {
    /// QR codes.
    static let symbols = [Function("qr", ["text", "level"], qr)]

    /// `{text, level?}` → `{size, path}`: the side of the image with its quiet zone, and the dark modules as an SVG path.
    private static func qr(_ call: Call) throws(BrowserError) -> Answer {
        let text = try call.text("text")
        let level = try level(call)
        guard let code = try? QRCode(encoding: text, errorCorrection: level) else {
            throw BrowserError("too_large", "The text is too long for a QR code.")
        }
        let quietZone = 4
        return Answer([
            ("size", .integer(Int64(code.size + 2 * quietZone))),
            ("path", .string(code.svgPath(quietZone: quietZone))),
        ])
    }

    private static func level(_ call: Call) throws(BrowserError) -> QRCode.ErrorCorrection {
        guard let level = try call.optionalText("level") else { return .medium }
        if level.equals("L") { return .low }
        if level.equals("M") { return .medium }
        if level.equals("Q") { return .quartile }
        guard level.equals("H") else { throw BrowserError("wrong_type", member: "level", "is not L, M, Q or H.") }
        return .high
    }
}
