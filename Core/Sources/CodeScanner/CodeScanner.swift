public import Encodings
import QRCodes

/// The WebAssembly interface for reading QR codes, a module of its own: only pages that scan load it.
///
/// It is kept small, so calls are no JSON as elsewhere. A frame is its width and height, four bytes each with the lowest
/// first, and its grey pixels row by row. A picture that is no frame of a camera has a byte more at its end: reading it may
/// take longer. An answer is a state of one byte, and for the first two what the code says.
public enum CodeScanner {
    /// The result of a frame.
    public enum State: UInt8, Sendable {
        /// A text follows, UTF-8.
        case text = 0
        /// Bytes follow that are no text.
        case bytes = 1
        /// The frame shows no code.
        case notFound = 2
        /// It shows one, and more of it is unreadable than its error correction repairs.
        case damaged = 3
        /// The code breaks the standard.
        case malformed = 4
        /// The text is spread over several codes.
        case partOfSeveral = 5
        /// The pixels are not width times height, or are more than allowed.
        case badFrame = 6
    }

    /// Reads a frame, for any bytes.
    public static func answer(_ frame: Bytes) -> Bytes {
        guard frame.count >= 8 else { return [State.badFrame.rawValue] }
        let (width, height) = (number(frame, at: 0), number(frame, at: 4))
        do throws(QRReadingError) {
            var pixels = Bytes(frame[8...])
            let isStill = pixels.count > 1 && pixels.count == width &* height &+ 1
            if isStill { pixels.removeLast() }
            let picture = try GreyPicture(width: width, height: height, pixels: pixels)
            let code = try QRCode.read(picture, effort: isStill ? .thorough : .frame)
            if let text = code.text { return [State.text.rawValue] + text }
            return [State.bytes.rawValue] + code.bytes
        } catch {
            return [state(error).rawValue]
        }
    }

    private static func state(_ error: QRReadingError) -> State {
        switch error {
        case .badPicture: .badFrame
        case .notFound: .notFound
        case .damaged: .damaged
        case .malformed: .malformed
        case .partOfSeveral: .partOfSeveral
        }
    }

    /// Of 32 bits; on wasm32 those from 2³¹ on become negative, and no picture has so many pixels.
    private static func number(_ bytes: Bytes, at offset: Int) -> Int {
        var number = 0
        for index in (offset..<offset + 4).reversed() { number = number << 8 | Int(bytes[index]) }
        return number
    }
}
