import Encodings
package import Hummingbird
import NIOCore

extension Request {
    /// The body's bytes, if it is declared `application/json` and within `limit`.
    ///
    /// - Throws: `Problem`.
    func collectJSON(
        limit: Limits.Body, _ pace: Pace? = nil, _ place: LargeBodies.Place? = nil
    ) async throws -> [UInt8] {
        guard isJSON else { throw Problem(.unsupportedMediaType) }
        return try await collect(limit, pace, place)
    }

    /// A body as a value of the interface.
    ///
    /// It must be strict JSON (no duplicate names, UTF-8, bounded depth) and hold no member that `type` does not have.
    ///
    /// - Throws: `Problem`.
    static func decodeStrictly<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], limit: Limits.Body
    ) throws -> Value {
        do {
            let json = try JSON.parse(bytes, maximumLength: limit.rawValue, maximumDepth: Limits.depth)
            return try StrictDecoder.decode(type, from: json)
        } catch let error as JSONError {
            throw Problem(.invalidJSON, Self.reason(error))
        }
    }

    /// The body's bytes; refuses at the first byte beyond the limit, or before the first when the header says so.
    package func collectBytes(limit: Limits.Body) async throws -> [UInt8] { try await collect(limit, nil, nil) }

    private func collect(_ limit: Limits.Body, _ pace: Pace?, _ place: LargeBodies.Place?) async throws -> [UInt8] {
        let tooLarge = Problem(.tooLarge, "The body may have at most \(limit.rawValue) bytes.")
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit.rawValue { throw tooLarge }
        var bytes: [UInt8] = []
        let length = headers[.contentLength].flatMap { Int($0) }
        pace?.begin()
        for try await part in body {
            pace?.move(part.readableBytes)
            let count = bytes.count + part.readableBytes
            guard count <= limit.rawValue else { throw tooLarge }
            if count > Limits.bodyWithoutPlace {
                try place?.take()
                if let length { bytes.reserveCapacity(max(0, length)) }
            }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    private var isJSON: Bool {
        guard let type = headers[.contentType] else { return false }
        let parts = type.split(separator: ";").map { $0.trimming(while: { $0 == " " || $0 == "\t" }).lowercased() }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
    }

    private static func reason(_ error: JSONError) -> String {
        switch error {
        case .truncated: "The body ends in the middle of a value."
        case .unexpected(let offset): "A character at offset \(offset) does not belong there."
        case .trailing: "Something follows the value."
        case .duplicateName: "Two members of one object have the same name."
        case .tooDeep: "Arrays and objects may be nested at most \(Limits.depth) deep."
        case .tooLong: "The body is too long."
        case .tooManyValues: "The body has too many values."
        case .invalidText: "A string is not UTF-8, or escapes half of a surrogate pair."
        case .invalidNumber: "A number is not written as JSON asks, or is too long."
        case .notCanonical: "A number cannot be carried exactly."
        }
    }
}

extension Substring {
    /// Without the characters at both ends for which `isTrimmed` holds.
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
        var rest = self.drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(rest)
    }
}
