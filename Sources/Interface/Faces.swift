/// How the organisation looks on this server's pages: its name, its logo, its colour and its imprint.
public struct OrganisationFace: Codable, Sendable, Equatable {
    /// The whole name; empty before set-up.
    ///
    /// The certificates have the beginning of the one that set-up gave.
    public var name: String
    /// `#rrggbb`, in lower case.
    public var accent: String?
    /// `#ffffff` or `#000000`: the colour of text on the accent.
    public var textOnAccent: String?
    public var logo: Logo?
    public var imprint: Imprint
    /// Only in the answer to a change.
    public var receipt: Receipt?

    /// A picture as the server keeps it.
    public struct Logo: Codable, Sendable, Equatable {
        /// `image/png` or `image/svg+xml`.
        public var mediaType: String
        /// Pixels, or what an SVG is drawn at by itself.
        public var width: Int64
        /// Pixels, or what an SVG is drawn at by itself.
        public var height: Int64
        /// Of the file that is kept.
        public var bytes: Int64
        /// SHA-256 of that file, base64url.
        public var digest: String

        public init(mediaType: String, width: Int64, height: Int64, bytes: Int64, digest: String) {
            self.mediaType = mediaType
            self.width = width
            self.height = height
            self.bytes = bytes
            self.digest = digest
        }
    }

    public init(
        name: String = "", accent: String? = nil, textOnAccent: String? = nil, logo: Logo? = nil,
        imprint: Imprint = Imprint(), receipt: Receipt? = nil
    ) {
        self.name = name
        self.accent = accent
        self.textOnAccent = textOnAccent
        self.logo = logo
        self.imprint = imprint
        self.receipt = receipt
    }
}

/// The texts below each page that law or good manners ask for: each a text of at most 4,000 bytes, or an address with
/// `https:` or `mailto:`.
public struct Imprint: Codable, Sendable, Equatable {
    public var legalNotice: String?
    public var privacy: String?
    public var contact: String?

    public init(legalNotice: String? = nil, privacy: String? = nil, contact: String? = nil) {
        self.legalNotice = legalNotice
        self.privacy = privacy
        self.contact = contact
    }
}

/// The face as it shall be: what is left out goes, except the name.
public struct FaceChange: Codable, Sendable, Equatable {
    /// 1 to 200 characters; the name stays if it is left out.
    public var name: String?
    /// `#rrggbb`.
    public var accent: String?
    /// A PNG or SVG, base64url.
    public var logo: String?
    /// Whether the logo stays as it is; then no `logo` is given.
    public var keepsLogo: Bool?
    public var imprint: Imprint

    public init(
        name: String? = nil, accent: String? = nil, logo: String? = nil, keepsLogo: Bool? = nil,
        imprint: Imprint = Imprint()
    ) {
        self.name = name
        self.accent = accent
        self.logo = logo
        self.keepsLogo = keepsLogo
        self.imprint = imprint
    }
}

/// A preview of a change, before anything is stored.
public struct FacePreview: Codable, Sendable, Equatable {
    public var colour: AccentCheck?
    public var logo: OrganisationFace.Logo?
    /// The logo as it would be kept, base64url.
    public var file: String?
    /// The names of elements and attributes that were left out of an SVG because a picture does not need them.
    public var leftOut: [String]

    public init(colour: AccentCheck?, logo: OrganisationFace.Logo?, file: String?, leftOut: [String]) {
        self.colour = colour
        self.logo = logo
        self.file = file
        self.leftOut = leftOut
    }
}

/// How well a colour can be seen: contrast ratios by WCAG 2 in hundredths, so 450 is 4.5 to 1.
public struct AccentCheck: Codable, Sendable, Equatable {
    /// `#rrggbb`, in lower case.
    public var accent: String
    /// Against the least favourable light background; 300 at least is needed.
    public var onLight: Int64
    /// Against the least favourable dark background; 300 at least is needed.
    public var onDark: Int64
    /// Of the text on it; 450 at least is needed.
    public var ofText: Int64
    /// `#ffffff` or `#000000`, whichever is easier to read on it.
    public var text: String
    public var holds: Bool
    /// The nearest colour that holds; the colour itself if it does.
    public var nearest: String

    public init(
        accent: String, onLight: Int64, onDark: Int64, ofText: Int64, text: String, holds: Bool, nearest: String
    ) {
        self.accent = accent
        self.onLight = onLight
        self.onDark = onDark
        self.ofText = ofText
        self.text = text
        self.holds = holds
        self.nearest = nearest
    }
}
