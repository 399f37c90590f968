public import Encodings

/// The party that asks for passkeys: client data and authenticator data are compared with it.
public struct RelyingParty: Sendable, Equatable {
    /// The RP ID, a host name such as `example.org`, in UTF-8.
    public let id: Bytes
    /// The origins of its pages, such as `https://example.org`; compared byte by byte, subdomains are not implied.
    public let origins: [Bytes]
    /// The origins of foreign pages that may show its pages in a frame; without any, no frame is accepted.
    public let topOrigins: [Bytes]
    /// Whether a frame is accepted when the browser does not name the page around it.
    public let allowsUnnamedTopOrigin: Bool

    /// A relying party.
    public init(id: Bytes, origins: [Bytes], topOrigins: [Bytes] = [], allowsUnnamedTopOrigin: Bool = false) {
        self.id = id
        self.origins = origins
        self.topOrigins = topOrigins
        self.allowsUnnamedTopOrigin = allowsUnnamedTopOrigin
    }
}

/// A relying party's demands on a passkey and its use.
public struct PasskeyRequirements: Sendable, Equatable {
    /// Whether the authenticator must have verified the user: biometrics or PIN.
    public var userVerification: Bool
    /// The algorithms that were offered.
    public var algorithms: [COSEAlgorithm]
    /// Whether none and self attestation are refused.
    public var requiresCertifiedAttestation: Bool
    /// Whether an attestation that holds in itself is accepted when its chain leads to none of the configured roots, or
    /// cannot be followed.
    ///
    /// It is then reported as `Attestation.unrooted`.
    public var acceptsUnrootedAttestation: Bool

    /// Requirements; without arguments the strictest that need no configured roots.
    public init(
        userVerification: Bool = true, algorithms: [COSEAlgorithm] = COSEAlgorithm.all,
        requiresCertifiedAttestation: Bool = false, acceptsUnrootedAttestation: Bool = false
    ) {
        self.userVerification = userVerification
        self.algorithms = algorithms
        self.requiresCertifiedAttestation = requiresCertifiedAttestation
        self.acceptsUnrootedAttestation = acceptsUnrootedAttestation
    }
}
