import Encodings
import Foundation

/// What the PAM module and its helper say to each other: a letter, two bytes of length, and a body.
///
/// `Sources/PamModule/frames.h` is the other side.
enum PamFrame {
    /// The longest body that the module takes.
    static let maximum = 16_384

    /// What the helper says.
    enum Kind: UInt8 {
        /// A code to show.
        case code = 0x43
        /// A text about what went wrong.
        case error = 0x45
        /// A line for the log.
        case log = 0x4C
        /// The end.
        case result = 0x52
    }

    /// The bytes of a frame; text that is too long is cut.
    static func encode(_ kind: UInt8, _ text: String) -> Bytes {
        let body = Bytes(text: text).prefix(maximum)
        return [kind, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }
}

/// One end of the socket between a PAM module and its helper.
struct PamLine: Sendable {
    let descriptor: Int32

    private var handle: FileHandle { FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }

    /// Says something.
    ///
    /// - Returns: whether somebody is there to hear it.
    @discardableResult
    func say(_ kind: UInt8, _ text: String) -> Bool {
        (try? handle.write(contentsOf: Data(PamFrame.encode(kind, text)))) != nil
    }

    @discardableResult
    func say(_ kind: PamFrame.Kind, _ text: String) -> Bool { say(kind.rawValue, text) }

    /// So many bytes; `nil` when the other side is gone or takes too long.
    func take(_ count: Int) -> Bytes? {
        guard count > 0 else { return [] }
        guard let data = try? handle.read(upToCount: count), data.count == count else { return nil }
        return Bytes(data)
    }
}
