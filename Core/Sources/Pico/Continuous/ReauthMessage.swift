import Encodings

/// The plaintext of a Pico's message: its state, its number and extra data, which only Lens uses.
struct PicoReauth: Equatable {
    let state: PicoContinuousState
    let sequence: PicoSequence

    /// - Throws: `malformed`, `tooLarge`, or `forbiddenMove` for an unknown state.
    static func parse(_ plaintext: Bytes) throws(PicoError) -> PicoReauth {
        var elements = PicoElements(plaintext)
        let state = try PicoContinuousState.read(&elements)
        let sequence = try PicoSequence(elements.next(PicoLimits.digest))
        _ = try elements.next(PicoLimits.extraData)
        try elements.finish()
        return PicoReauth(state: state, sequence: sequence)
    }

    func encoded() -> Bytes {
        [state.rawValue] + PicoElements.write(sequence.bytes) + PicoElements.write([])
    }
}

/// The plaintext of a service's message: its state, the time until the next message in milliseconds, and its number.
struct ServiceReauth: Equatable {
    let state: PicoContinuousState
    let timeout: Int32
    let sequence: PicoSequence

    /// - Throws: `malformed`, `tooLarge`, or `forbiddenMove` for an unknown state.
    static func parse(_ plaintext: Bytes) throws(PicoError) -> ServiceReauth {
        var elements = PicoElements(plaintext)
        let state = try PicoContinuousState.read(&elements)
        let timeout = Int32(bitPattern: try elements.number())
        let sequence = try PicoSequence(elements.next(PicoLimits.digest))
        try elements.finish()
        return ServiceReauth(state: state, timeout: timeout, sequence: sequence)
    }

    func encoded() -> Bytes {
        [state.rawValue] + PicoElements.signed(timeout) + PicoElements.write(sequence.bytes)
    }
}

extension PicoContinuousState {
    static func read(_ elements: inout PicoElements) throws(PicoError) -> PicoContinuousState {
        guard let state = PicoContinuousState(rawValue: try elements.byte()) else { throw .forbiddenMove }
        return state
    }
}
