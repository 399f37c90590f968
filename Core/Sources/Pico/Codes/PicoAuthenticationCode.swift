public import Encodings

/// KA: a service shows or sends it, and a Pico that is paired signs in (section 2).
///
/// It is not signed, and anybody can relay it to another place (section 13, number 5). So the person sees the service, and
/// the lifetime of the channel is short.
public struct PicoAuthenticationCode: Sendable, Equatable {
    /// The commitment of the service's identity key: the Pico looks its pairings up by it.
    public let service: PicoCommitment
    /// Where the service waits.
    ///
    /// It is this address that counts, not the one of the pairing (section 5).
    public let address: PicoAddress

    /// The code that a service shows.
    public init(service: PicoCommitment, address: PicoAddress) {
        self.service = service
        self.address = address
    }

    init(_ members: PicoMembers, schemes: [PicoAddress.Scheme]) throws(PicoError) {
        service = try PicoTerminalCode.commitment(members, "sc")
        address = try PicoAddress.parse(members.text("sa", PicoLimits.address), accepting: schemes)
        try PicoCode.checkExtraData(members)
        _ = try members.members("td")
    }

    /// The text of the code, members in the order in which jpico writes them.
    public func encoded() -> Bytes {
        JSON.members([
            ("sc", .string(service.base64)), ("ed", .text("")), ("sa", .string(address.text)), ("td", .object([])),
            ("t", .text("KA")),
        ]).serialized()
    }
}
