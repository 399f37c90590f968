public import Encodings

/// What an administrator's certificate permits.
public struct Capabilities: OptionSet, Sendable {
    /// One bit for each capability.
    public let rawValue: UInt8

    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Identifying members face to face: extended key usage arc.1.1.
    public static let identifyMembers = Capabilities(rawValue: 1)
    /// Signing documents: extended key usage arc.1.2.
    public static let signDocuments = Capabilities(rawValue: 2)
}

/// The purpose asked of the leaf of a path.
public enum CertificatePurpose: Equatable, Sendable, CaseIterable {
    /// Signing documents.
    case documents
    /// Signing identity credentials.
    case identity
    /// Signing status lists.
    case status
    /// Signing records and reports of hand signatures.
    case handSignatures

    /// Whether only a key that the root itself certified is good for it: the server's own.
    var isByRootOnly: Bool { self == .status || self == .handSignatures }

    /// The extended key usage that permits it, as content octets of the identifier.
    var keyUsage: Bytes {
        switch self {
        case .documents: OID.signDocuments
        case .identity: OID.identifyMembers
        case .status: OID.statusSigning
        case .handSignatures: OID.handSignatures
        }
    }
}

/// Where the status of a certificate or document is published.
public struct StatusReference: Equatable, Sendable {
    /// The address of the status list, ASCII.
    public let uri: Bytes
    /// The place in that list, from 0.
    public let index: Int

    /// A reference to one place of a list.
    public init(uri: Bytes, index: Int) {
        self.uri = uri
        self.index = index
    }
}
