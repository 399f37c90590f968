import Interface

/// Why a face is refused.
enum FaceError: Error, Equatable {
    /// It is not written as `#rrggbb`.
    case notAColour
    /// It cannot be seen, or not be read on.
    case tooLittleContrast(AccentCheck)
    case logoTooLarge
    /// Neither PNG nor SVG.
    case notAPicture
    case damagedPNG(PNGPicture.Fault)
    case refusedSVG(SVGFault)
    /// The organisation's name is empty, too long, or has characters that nobody sees.
    case name
    /// A member of the imprint: what of it is wrong.
    case imprint(String)
    /// `logo` together with `keeps_logo`.
    case twoLogos
}

extension FaceError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notAColour: Problem(.invalidMember, "accent: write the colour as #rrggbb, such as #0a8066.")
        case .tooLittleContrast(let check):
            Problem(
                .invalidMember,
                "accent: \(check.accent) is hard to see. Its contrast is \(Self.ratio(check.onLight)) on light pages, "
                    + "\(Self.ratio(check.onDark)) on dark ones (3 to 1 is needed), and \(Self.ratio(check.ofText)) for "
                    + "text on it (4.5 to 1). The nearest colour that holds is \(check.nearest).")
        case .name:
            Problem(
                .invalidMember,
                "name: write 1 to \(Limits.organisation) characters, without line breaks or characters that nobody sees."
            )
        case .logoTooLarge:
            Problem(.tooLarge, "logo: at most \(Limits.logo / 1_024) KiB. Save it smaller, or as an SVG.")
        case .notAPicture: Problem(.invalidMember, "logo: not a PNG or SVG. Save the picture as one of the two.")
        case .damagedPNG(let fault):
            switch fault {
            case .damaged: Problem(.invalidMember, "logo: the PNG is damaged. Save it again.")
            case .tooLarge:
                Problem(
                    .invalidMember,
                    "logo: the PNG has more than \(Limits.logoSide) pixels in one direction. Make it smaller.")
            }
        case .refusedSVG(let fault):
            switch fault {
            case .malformed(let offset):
                Problem(.invalidMember, "logo: the SVG is not well formed at byte \(offset). Save it again.")
            case .entities:
                Problem(.invalidMember, "logo: the SVG declares entities. Save it as plain SVG, without them.")
            case .noSize:
                Problem(.invalidMember, "logo: the SVG says no size. Give it a viewBox of 1 to 100,000 units.")
            case .tooMuch:
                Problem(.invalidMember, "logo: the SVG has too many parts, or they are nested too deep. Simplify it.")
            case .empty: Problem(.invalidMember, "logo: the SVG shows nothing that a logo may have: shapes and text.")
            }
        case .imprint(let member):
            Problem(
                .invalidMember,
                "\(member): an address with https: or mailto:, or a text of at most \(Limits.imprint) bytes.")
        case .twoLogos: Problem(.invalidMember, "logo: give a logo or keeps_logo, not both.")
        }
    }

    /// Hundredths as people say them: `4.5 to 1`.
    private static func ratio(_ hundredths: Int64) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) to 1"
    }
}
