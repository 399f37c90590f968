public import BrowserCalls
public import Encodings

/// The WebAssembly face of `Core`: what a page asks is a name, a JSON object and blobs, and so is what it gets.
///
/// Each function is pure. Keys never come here: a step that needs one gives the bytes to be signed, and its second half
/// takes the signature. In JSON bytes are base64url without padding and times are seconds since 1970.
public enum Browser {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - name: of the function.
    ///   - arguments: an object with the members that the function takes and no others.
    ///   - blobs: files and the like, which would be too large for base64.
    public static func call(
        name: Bytes, arguments: JSON, blobs: [Bytes]
    ) throws(BrowserError) -> (value: JSON, blobs: [Bytes]) {
        let answer = try Function.call(name, in: functions, arguments: arguments, blobs: blobs)
        return (answer.value, answer.blobs)
    }

    /// Answers a call that came as `Frames`, for any bytes.
    public static func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }

    static let functions =
        symbols + hashes + trust + verification + statements + catalogue + heldDocuments + presenting + issuing
        + faceToFace + pairing + delegation
}
