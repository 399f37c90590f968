import CryptoProvider
import Encodings
import Interface
import Storage
import Workers

/// The organisation's face: checked before it is kept, and read from the database for each page, so that all processes
/// show a change at once.
struct FaceService {
    let environment: Environment

    /// A logo as it is kept, and what was left out of it.
    private struct Picture: Sendable {
        let logo: OrganisationFace.Logo
        let bytes: Bytes
        let leftOut: [String]
    }

    func find() async throws -> OrganisationFace {
        try await environment.database.read { try FaceStore(transaction: $0).find() }
    }

    /// The logo's file and how to send it.
    func logo() async throws -> (bytes: Bytes, logo: OrganisationFace.Logo)? {
        try await environment.database.read { transaction in
            let store = FaceStore(transaction: transaction)
            guard let logo = try store.find().logo, let bytes = try store.file() else { return nil }
            return (bytes, logo)
        }
    }

    /// Checks a change and says what would come of it; a colour that is hard to see is no error here.
    func preview(_ request: FaceChange, _ principal: Principal) async throws -> FacePreview {
        try FaceRules.check(request.imprint)
        _ = try request.name.map(FaceRules.name)
        let picture = try await picture(request, principal)
        return FacePreview(
            colour: try request.accent.map(FaceRules.check), logo: picture?.logo, file: picture?.bytes.base64URL,
            leftOut: picture?.leftOut ?? [])
    }

    /// Puts the face in place; who changed it, and when, is in the log.
    func change(_ request: FaceChange, _ principal: Principal) async throws -> OrganisationFace {
        let imprint = try FaceRules.check(request.imprint)
        let name = try request.name.map(FaceRules.name)
        let colour = try request.accent.map(FaceRules.check)
        if let colour, !colour.holds { throw FaceError.tooLittleContrast(colour) }
        guard request.logo == nil || request.keepsLogo != true else { throw FaceError.twoLogos }
        let picture = try await picture(request, principal)
        let now = environment.now()
        let (face, index) = try await environment.database.write { transaction in
            let store = FaceStore(transaction: transaction)
            let keeps = request.keepsLogo == true
            let organisation = OrganisationStore(transaction: transaction)
            if let name { try organisation.rename(name) }
            let face = OrganisationFace(
                name: try organisation.name() ?? "", accent: colour?.accent, textOnAccent: colour?.text,
                logo: keeps ? try store.find().logo : picture?.logo, imprint: imprint)
            try store.set(face, file: keeps ? try store.file() : picture?.bytes)
            let index = try environment.log.record(
                TrustEvent(
                    .faceChanged, account: principal.account,
                    [
                        ("accent", .text(face.accent ?? "")), ("by", .text(principal.account)),
                        ("logo", .text(face.logo?.digest ?? "")), ("name", .text(face.name)),
                    ]), in: transaction, now: now)
            return (face, index)
        }
        var changed = face
        changed.receipt = try await environment.log.receipt(index)
        return changed
    }

    /// Reading a picture takes a moment: not where requests are served.
    private func picture(_ request: FaceChange, _ principal: Principal) async throws -> Picture? {
        guard let text = request.logo else { return nil }
        return try await environment.work.run {
            guard text.utf8.count <= (Limits.logo + 2) / 3 * 4 else { throw FaceError.logoTooLarge }
            guard let file = Base64.decode(Bytes(text: text), .url) else { throw FaceError.notAPicture }
            guard file.count <= Limits.logo else { throw FaceError.logoTooLarge }
            return try Self.picture(file, digest: environment.suite.sha256)
        }
    }

    /// Its content says which of the two it is, not its name.
    private static func picture(_ file: Bytes, digest: (Bytes) -> Bytes) throws -> Picture {
        let (type, bytes, size, leftOut): (String, Bytes, (Int, Int), [String])
        if file.starts(with: PNGPicture.signature) {
            do throws(PNGPicture.Fault) {
                let png = try PNGPicture(file)
                (type, bytes, size, leftOut) = ("image/png", png.bytes, (png.width, png.height), [])
            } catch { throw FaceError.damagedPNG(error) }
        } else if FaceRules.looksLikeSVG(file) {
            do throws(SVGFault) {
                let svg = try SVGPicture(file)
                (type, bytes, size, leftOut) = ("image/svg+xml", svg.bytes, (svg.width, svg.height), svg.leftOut)
            } catch { throw FaceError.refusedSVG(error) }
        } else {
            throw FaceError.notAPicture
        }
        guard bytes.count <= Limits.logo else { throw FaceError.logoTooLarge }
        return Picture(
            logo: OrganisationFace.Logo(
                mediaType: type, width: Int64(size.0), height: Int64(size.1), bytes: Int64(bytes.count),
                digest: digest(bytes).base64URL),
            bytes: bytes, leftOut: leftOut)
    }
}
