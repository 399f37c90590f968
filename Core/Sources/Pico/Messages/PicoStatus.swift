import Encodings

/// What a service answers at the end: the plaintext of Status (section 4.5).
struct PicoStatus: Equatable {
    /// The byte, which is a signed number.
    enum Code: Int8 {
        /// Done.
        case accepted = 0
        /// Done, and continuous authentication follows.
        case continuous = 1
        /// The Pico is unknown or may not come in. We never tell which check failed.
        case rejected = -1
    }

    let code: Code
    let extraData: Bytes

    /// - Throws: `rejected` for every byte except 0 and 1, which is asked first (section 12, number 12), `malformed` or
    ///   `tooLarge`.
    static func parse(_ plaintext: Bytes) throws(PicoError) -> PicoStatus {
        var elements = PicoElements(plaintext)
        let code = Code(rawValue: Int8(bitPattern: try elements.byte()))
        guard let code, code != .rejected else { throw .rejected }
        let extraData = try elements.next(PicoLimits.extraData)
        try elements.finish()
        return PicoStatus(code: code, extraData: extraData)
    }

    func encoded() -> Bytes { [UInt8(bitPattern: code.rawValue)] + PicoElements.write(extraData) }
}
