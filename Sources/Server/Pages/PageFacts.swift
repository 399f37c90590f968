import Encodings
import Interface

/// What pages tell of the organisation: the same to everybody who reads them.
struct PageFacts: Equatable, Sendable {
    let name: String
    let isSetUp: Bool
    let publicURL: String
    /// SHA-256 of the root certificate, lower-case hexadecimal; empty until set-up.
    let rootFingerprint: String
    let logKey: String
    let face: OrganisationFace

    init(_ organisation: Organisation, _ face: OrganisationFace) {
        (name, isSetUp, publicURL) = (organisation.name, organisation.isSetUp, organisation.publicURL)
        (rootFingerprint, logKey) = (organisation.rootFingerprint, organisation.logKey)
        self.face = face
    }

    /// The values for the templates, in the language of a catalogue.
    func values(in catalogue: WordCatalogue) -> [String: Any] {
        let fingerprint = stride(from: 0, to: rootFingerprint.count, by: 4).map { start in
            String(rootFingerprint.dropFirst(start).prefix(4))
        }
        let groups = Hex.decode(Bytes(text: rootFingerprint)).flatMap { bytes -> String? in
            bytes.isEmpty ? nil : String(decoding: FingerprintGroups.text(bytes), as: UTF8.self)
        }
        let values: [String: Any] = [
            "organisation": name, "isSetUp": isSetUp, "publicURL": publicURL,
            "fingerprint": fingerprint.joined(separator: " "), "fingerprintGroups": groups ?? "", "logKey": logKey,
            "version": CountersignVersion.text,
        ]
        return values.merging(FaceService.values(of: face, in: catalogue)) { $1 }
    }
}
