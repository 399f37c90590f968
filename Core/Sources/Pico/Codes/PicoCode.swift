public import Encodings

/// A visual code, read and checked: from a screen, or a KA from a beacon (section 2).
///
/// A code of the type PA is recognised and refused; it is an abandoned experiment.
public enum PicoCode: Sendable, Equatable {
    /// KP: pair with a service. The signature was checked.
    case pairing(PicoPairingCode)
    /// KA: sign in to a service that is paired.
    case authentication(PicoAuthenticationCode)
    /// LP: keep a password of a web site for the browser.
    case lensPairing(PicoTerminalCode)
    /// LA: have the Pico sign in to a web site with a kept password.
    case lensAuthentication(PicoTerminalCode)
    /// TP: pair with a browser.
    case terminalPairing(PicoTerminalCode)
    /// DP: take a login over from another Pico.
    case delegation(PicoTerminalCode)

    /// What to do with a code.
    public enum Decision: Sendable, Equatable {
        /// Ask the person, and run the protocol.
        case run
        /// Say that the code is a real one, and why we do nothing with it.
        case decline(Reason)

        /// Why nothing is done.
        public enum Reason: Sendable, Equatable {
            /// LP and LA replay real passwords at an address that the browser names (section 13, number 17).
            case replaysPasswords
            /// TP and DP serve only LP and LA: a terminal is paired for them, and what is delegated is a kept login.
            case servesPasswords
        }
    }

    /// Whether we run it: KP and KA, and nothing else.
    public var decision: Decision {
        switch self {
        case .pairing, .authentication: .run
        case .lensPairing, .lensAuthentication: .decline(.replaysPasswords)
        case .terminalPairing, .delegation: .decline(.servesPasswords)
        }
    }

    /// Reads the text of a code.
    ///
    /// Unknown members are ignored, and the order is free. A KP counts only if its signature holds under its own key.
    ///
    /// - Parameters:
    ///   - text: UTF-8, at most 4,096 bytes.
    ///   - curves: on which the key of a KP may be.
    ///   - schemes: of addresses that the caller can use.
    /// - Throws: `malformed`, `tooLarge`, `unsupportedCode`, `unsupportedAddress`, `unsupportedCurve`, `invalidKey` or
    ///   `invalidSignature`.
    public static func read<Suite: PicoCryptoSuite>(
        _ text: Bytes, curves: PicoCurves = .current, accepting schemes: [PicoAddress.Scheme] = .rendezvous,
        suite: Suite
    ) throws(PicoError) -> PicoCode {
        let members = try PicoMembers(text, maximumLength: PicoLimits.code)
        let type = try members.text("t", 64)
        if type.equals("KP") {
            return .pairing(try PicoPairingCode(members, curves: curves, schemes: schemes, suite: suite))
        }
        if type.equals("KA") { return .authentication(try PicoAuthenticationCode(members, schemes: schemes)) }
        if type.equals("LP") { return .lensPairing(try PicoTerminalCode(members, hasService: true, schemes)) }
        if type.equals("LA") { return .lensAuthentication(try PicoTerminalCode(members, hasService: true, schemes)) }
        if type.equals("TP") { return .terminalPairing(try PicoTerminalCode(members, hasService: false, schemes)) }
        if type.equals("DP") { return .delegation(try PicoTerminalCode(members, hasService: false, schemes)) }
        throw .unsupportedCode
    }

    /// Extra data of a code: in practice always empty, and read by nobody.
    static func checkExtraData(_ members: PicoMembers) throws(PicoError) {
        _ = try members.base64("ed", 0...PicoLimits.extraData)
    }
}
