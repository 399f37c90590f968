public import Encodings

/// Reads an age file piece by piece, in constant memory.
///
/// What it appends is authentic, but whether the content is whole, only `finish` says. If it or `open` throws, throw
/// away what came before.
public struct AgeOpener<Suite: AgeCryptoSuite>: Sendable {
    private enum Place {
        case header(AgeHeaderReader)
        case nonce(AgeFileKey, Bytes)
        case payload(AgePayloadOpener<Suite>)
        case failed(AgeError)
        case finished
    }

    private let identities: [AgeIdentity]
    private let suite: Suite
    private var place = Place.header(AgeHeaderReader())
    private var format: AgeFormat?
    private var armour = AgeArmourReader()

    /// - Parameters:
    ///   - identities: each is tried; the first that fits decides.
    ///   - format: `nil` for either: then the first byte decides.
    public init(_ identities: [AgeIdentity], format: AgeFormat? = nil, suite: Suite) {
        self.identities = identities
        self.format = format
        self.suite = suite
    }

    /// Takes the next bytes of the file, and appends the next bytes of the content.
    ///
    /// Whole pieces that come in one call are opened at the same time, if the suite does that. `AgeLimits.sealedChunk` is
    /// their length. After an error every call throws it again.
    public mutating func open(_ file: Bytes, appendingTo plaintext: inout Bytes) throws(AgeError) {
        guard let first = file.first else { return try checkPlace() }
        try keepingErrors { opener throws(AgeError) in
            let format = opener.format ?? (AgeFormat.isArmoured(first: first) ? .armoured : .binary)
            opener.format = format
            switch format {
            case .binary: try opener.take(file[...], appendingTo: &plaintext)
            case .armoured:
                try opener.takeDecoded(&plaintext) { armour, bytes throws(AgeError) in
                    try armour.read(file[...], appendingTo: &bytes)
                }
            }
        }
    }

    /// Says that nothing follows, and appends the rest of the content.
    ///
    /// - Throws: `truncatedHeader`, `truncatedPayload` and whatever else is wrong with the file.
    public mutating func finish(appendingTo plaintext: inout Bytes) throws(AgeError) {
        try keepingErrors { opener throws(AgeError) in
            if case .armoured = opener.format {
                try opener.takeDecoded(&plaintext) { armour, bytes throws(AgeError) in
                    try armour.finish(appendingTo: &bytes)
                }
            }
            switch opener.place {
            case .header, .nonce: throw .truncatedHeader
            case .payload(var payload): try payload.finish(appendingTo: &plaintext)
            case .failed(let error): throw error
            case .finished: throw .finished
            }
            opener.place = .finished
        }
    }

    /// Takes what comes out of the armour.
    ///
    /// What is before a fault in the armour is judged first: so a file says the same in whatever pieces it comes.
    private mutating func takeDecoded(
        _ plaintext: inout Bytes, _ read: (inout AgeArmourReader, inout Bytes) throws(AgeError) -> Void
    ) throws(AgeError) {
        var (bytes, fault): (Bytes, AgeError?) = ([], nil)
        do throws(AgeError) { try read(&armour, &bytes) } catch { fault = error }
        try take(bytes[...], appendingTo: &plaintext)
        if let fault { throw fault }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, appendingTo plaintext: inout Bytes) throws(AgeError) {
        var bytes = bytes
        if case .header(var reader) = place {
            let read = try reader.read(bytes)
            guard let read else { return place = .header(reader) }
            place = .nonce(try read.header.fileKey(with: identities, suite), [])
            bytes = read.rest
        }
        if case .nonce(let key, let begun) = place {
            let nonce = begun + bytes.prefix(AgeLimits.payloadNonce - begun.count)
            guard nonce.count == AgeLimits.payloadNonce else { return place = .nonce(key, nonce) }
            place = .payload(AgePayloadOpener(key: key.payloadKey(nonce: nonce, suite), suite: suite))
            bytes = bytes.dropFirst(AgeLimits.payloadNonce - begun.count)
        }
        guard case .payload(var payload) = place else { return try checkPlace() }
        // Held once: otherwise each piece would copy what the opener holds.
        place = .finished
        try payload.open(bytes, appendingTo: &plaintext)
        place = .payload(payload)
    }

    private func checkPlace() throws(AgeError) {
        if case .failed(let error) = place { throw error }
        if case .finished = place { throw .finished }
    }

    private mutating func keepingErrors(
        _ body: (inout Self) throws(AgeError) -> Void
    ) throws(AgeError) {
        try checkPlace()
        do {
            try body(&self)
        } catch {
            place = .failed(error)
            throw error
        }
    }
}
