import CZlib
import Encodings
import QRCodes

/// A code or link that was given as the picture of its QR code.
enum CodePicture {
    /// The given code: the text itself, or the text of the QR code in a file if it is the name of a PNG.
    static func text(_ given: String) throws -> String {
        guard given.lowercased().hasSuffix(".png"), !given.contains("://") else { return given }
        return try read(given)
    }

    /// The text of the clearest QR code in a PNG.
    ///
    /// - Throws: `CommandError`: a refusal when the picture shows no code that can be read.
    static func read(_ path: String) throws -> String {
        let file = try Files.read(path)
        let picture: GreyPicture
        do throws(PNGError) {
            picture = try GreyPicture(png: file, inflate: inflate)
        } catch {
            throw CommandError(words(error, path))
        }
        let code: ScannedCode
        do throws(QRReadingError) {
            code = try QRCode.read(picture)
        } catch {
            throw CommandError(words(error, path), isRefusal: true)
        }
        guard let text = code.text else {
            throw CommandError("The code in \(path) holds no text. It is none of Countersign's.", isRefusal: true)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Unpacks a zlib stream of exactly `count` bytes.
    static func inflate(_ stream: Bytes, _ count: Int) -> Bytes? {
        var output = Bytes(repeating: 0, count: count)
        var length = uLong(count)
        let status = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe stream.withUnsafeBufferPointer { source in
                unsafe uncompress(target.baseAddress, &length, source.baseAddress, uLong(source.count))
            }
        }
        return status == Z_OK && length == uLong(count) ? output : nil
    }

    private static func words(_ error: PNGError, _ path: String) -> String {
        switch error {
        case .notPNG: "\(path) is not a PNG. Save the picture as one."
        case .damaged, .unknownChunk: "The PNG \(path) is damaged. Save it again."
        case .tooLarge: "The picture \(path) has too many pixels. Cut out the part with the code."
        }
    }

    private static func words(_ error: QRReadingError, _ path: String) -> String {
        switch error {
        case .badPicture, .notFound: "There is no QR code in \(path). Take a picture that shows all of it."
        case .damaged: "The code in \(path) cannot be read. Take it closer, flat and in good light."
        case .malformed: "The code in \(path) breaks the standard. It is none of Countersign's."
        case .partOfSeveral(let position, let count):
            "The code in \(path) is number \(position) of \(count) that belong together. It is none of Countersign's."
        }
    }
}
