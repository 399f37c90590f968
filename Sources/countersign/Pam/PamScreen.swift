import Encodings
import QRCodes

/// What the person sees on the terminal.
struct PamScreen {
    let configuration: PamConfiguration
    let request: PamRequest

    private static let quietZone = 2

    /// The code as blocks and as text.
    func code(_ code: Bytes) -> String {
        var lines = ["Scan this code with your wallet to sign in to \(Bytes(text: configuration.name).shown):", ""]
        if let picture = try? QRCode(encoding: code, errorCorrection: .low) {
            lines.append(String(decoding: picture.terminalText(style, quietZone: Self.quietZone), as: UTF8.self))
        }
        lines += [code.shown, ""]
        return lines.joined(separator: "\n")
    }

    /// How the code is drawn: colours make it readable on every ground.
    ///
    /// An SSH client shows their letters instead, so there the settings say what the ground is.
    private var style: QRCode.TerminalStyle {
        let isTerminal = request.terminal.map {
            $0.starts(with: Bytes(text: "/dev/")) || $0.starts(with: Bytes(text: "tty"))
        }
        if isTerminal == true, !request.modes.contains(.prompt) { return .coloured }
        return configuration.lightTerminal ? .lightBackground : .darkBackground
    }
}
