internal import Encodings

/// The browser's account of a ceremony (WebAuthn Level 3 section 5.8.1).
struct ClientData: Sendable {
    /// The text as it was sent: what is hashed.
    let json: Bytes
    let type: Bytes
    let challenge: Bytes
    let origin: Bytes
    let isCrossOrigin: Bool
    let topOrigin: Bytes?

    static let maximumLength = 16384

    /// Reads the members that matter, in any order; unknown ones are for the future and ignored.
    init(_ json: Bytes) throws(PasskeyError) {
        let value: JSON
        do {
            value = try JSON.parse(json, maximumLength: Self.maximumLength, maximumDepth: 8)
        } catch { throw .malformedClientData }
        guard let type = value["type"]?.string, let origin = value["origin"]?.string,
            let written = value["challenge"]?.string, let challenge = Base64.decode(written, .url)
        else { throw .malformedClientData }
        switch value["crossOrigin"] {
        case .none: isCrossOrigin = false
        case .some(.bool(let flag)): isCrossOrigin = flag
        default: throw .malformedClientData
        }
        switch value["topOrigin"] {
        case .none: topOrigin = nil
        case .some(.string(let text)): topOrigin = text
        default: throw .malformedClientData
        }
        self.json = json
        self.type = type
        self.challenge = challenge
        self.origin = origin
    }

    /// The steps on client data of registration (section 7.1) and authentication (section 7.2).
    func check(type: StaticString, challenge: Bytes, relyingParty: RelyingParty) throws(PasskeyError) {
        guard self.type.equals(type) else { throw .wrongType }
        // An empty challenge would match a forgotten one.
        guard !challenge.isEmpty, self.challenge.equalsInConstantTime(challenge) else { throw .wrongChallenge }
        guard relyingParty.origins.contains(origin) else { throw .wrongOrigin }
        if let topOrigin {
            guard isCrossOrigin else { throw .malformedClientData }
            guard !relyingParty.topOrigins.isEmpty else { throw .crossOrigin }
            guard relyingParty.topOrigins.contains(topOrigin) else { throw .wrongTopOrigin }
        } else if isCrossOrigin {
            guard relyingParty.allowsUnnamedTopOrigin else { throw .crossOrigin }
        }
    }
}
