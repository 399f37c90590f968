/// Why a file gives no picture.
public enum PNGError: Error, Equatable, Sendable {
    /// It does not begin as a PNG does.
    case notPNG
    /// It is cut off, a checksum is wrong, or chunks are missing, out of order or not as they must be.
    case damaged
    /// It has a chunk that decides what the picture looks like and that this reader does not know.
    case unknownChunk
    /// More pixels than `GreyPicture` takes, or more than `PNGFile.mostBytes` unpacked.
    case tooLarge
}
