public import Encodings

/// LP, LA, TP and DP: codes that a browser, or another Pico, shows (sections 2 and 9).
///
/// They are recognised, so that a person is told what they scanned. `PicoCode.decision` says that nothing is done.
public struct PicoTerminalCode: Sendable, Equatable {
    /// LP and LA: the commitment of the web site.
    public let service: PicoCommitment?
    /// The commitment of the terminal's identity key.
    public let terminal: PicoCommitment
    /// Where the terminal waits.
    public let address: PicoAddress
    /// TP and DP: the terminal's name, 1 to 256 bytes of UTF-8 without controls and marks of direction.
    public let name: Bytes?
    /// TP and DP: what the terminal wants to see as extra data.
    public let nonce: Bytes?

    /// - Throws: `malformed` if an address or a commitment is missing, and for what the types demand beyond.
    init(_ members: PicoMembers, hasService: Bool, _ schemes: [PicoAddress.Scheme]) throws(PicoError) {
        let details = try members.members("td")
        address = try PicoAddress.parse(details.text("ta", PicoLimits.address), accepting: schemes)
        terminal = try Self.commitment(details, "tc")
        guard hasService else {
            let name = try members.text("tn", PicoLimits.name)
            guard !name.isEmpty, PicoName.isShowable(name) else { throw .malformed }
            self.name = name
            nonce = try members.base64("n", PicoLimits.nonce)
            service = nil
            return
        }
        service = try Self.commitment(members, "sc")
        name = nil
        nonce = nil
    }

    /// A member that is a commitment.
    static func commitment(_ members: PicoMembers, _ name: StaticString) throws(PicoError) -> PicoCommitment {
        let bytes = try members.base64(name, PicoLimits.digest...PicoLimits.digest)
        guard let commitment = PicoCommitment(bytes: bytes) else { throw .malformed }
        return commitment
    }
}
