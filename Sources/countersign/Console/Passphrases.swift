import Encodings
import Wallet

/// Passphrases out of files.
enum Passphrases {
    /// The first line of a file.
    static func firstLine(of file: String) throws -> String {
        let line = try Files.read(file).split(at: 0x0A).first ?? []
        let text = line.last == 0x0D ? Array(line.dropLast()) : line
        guard !text.isEmpty else { throw CommandError("the first line of \(file) is empty") }
        return text.text
    }
}
