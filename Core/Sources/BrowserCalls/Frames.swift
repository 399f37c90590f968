public import Encodings

/// How a call and its answer travel through linear memory: parts one behind the other, each as its length (four bytes,
/// little-endian) and its bytes.
///
/// A call is name, JSON arguments, blobs. An answer is a status of one byte (0 or 1), the JSON value or what is wrong,
/// blobs.
public enum Frames {
    /// The largest call, in bytes.
    public static let maximumSize = 48 << 20
    /// The longest JSON arguments, in bytes: four status tokens, a receipt and some more.
    static let maximumArguments = 3 << 20
    /// The largest blob, in bytes: a bundle or package.
    static let maximumBlob = 16 << 20
    /// The most parts: name, arguments and four blobs.
    static let maximumParts = 6

    /// Answers a call to one of some functions, for any bytes.
    package static func answer(_ input: Bytes, _ functions: [Function]) -> Bytes {
        do {
            let call = try Self.call(input)
            let answer = try Function.call(call.name, in: functions, arguments: call.arguments, blobs: call.blobs)
            return joined([[0], answer.value.serialized()] + answer.blobs)
        } catch {
            return joined([[1], error.json.serialized()])
        }
    }

    /// Reads a call.
    static func call(_ input: Bytes) throws(BrowserError) -> (name: Bytes, arguments: JSON, blobs: [Bytes]) {
        guard input.count <= maximumSize else { throw BrowserError("too_large", "The call is larger than allowed.") }
        guard let parts = split(input), parts.count >= 2 else {
            throw BrowserError("malformed_frames", "The call is not a sequence of whole parts.")
        }
        guard parts[1].count <= maximumArguments else {
            throw BrowserError("too_large", "The arguments are longer than allowed.")
        }
        for blob in parts.dropFirst(2) where blob.count > maximumBlob {
            throw BrowserError("too_large", "A blob is larger than allowed.")
        }
        guard let arguments = try? JSON.parse(parts[1], maximumLength: maximumArguments) else {
            throw BrowserError("not_json", "The arguments are not JSON that is accepted.")
        }
        return (parts[0], arguments, Array(parts.dropFirst(2)))
    }

    /// The parts of a sequence, or `nil` when the last one is cut or there are too many.
    public static func split(_ input: Bytes) -> [Bytes]? {
        var parts: [Bytes] = []
        var offset = 0
        while offset < input.count {
            guard parts.count < maximumParts, input.count - offset >= 4 else { return nil }
            var length = 0
            for index in (0..<4).reversed() { length = length << 8 | Int(input[offset + index]) }
            offset += 4
            // On wasm32 a length from 2^31 on becomes negative.
            guard length >= 0, length <= input.count - offset else { return nil }
            parts.append(Array(input[offset..<offset + length]))
            offset += length
        }
        return parts
    }

    /// The sequence of these parts.
    public static func joined(_ parts: [Bytes]) -> Bytes {
        var output: Bytes = []
        output.reserveCapacity(parts.reduce(0) { $0 + 4 + $1.count })
        for part in parts {
            for shift in [0, 8, 16, 24] { output.append(UInt8(truncatingIfNeeded: part.count >> shift)) }
            output.append(contentsOf: part)
        }
        return output
    }
}
