import CryptoProvider
import Encodings
import HandSignatures

/// A model that the server judges by, and how often it errs.
struct JudgingModel: Sendable {
    let model: SignatureModel
    /// What an evaluation gave, on people from whom the model had not learnt.
    let rates: RatesFile
    /// SHA-256 of the model's file, base64url.
    let digest: String
    /// Whether the organisation installed it, rather than that it came with the program.
    let isOwn: Bool

    init(_ model: SignatureModel, _ rates: RatesFile, isOwn: Bool) {
        self.model = model
        self.rates = rates
        self.isOwn = isOwn
        digest = SHA256.hash(model.file()).base64URL
    }

    /// What reports say of the errors at the model's threshold: shares in ten thousandths, and the curve.
    var errorRates: JSON {
        let errors = rates.rates(at: model.threshold)
        return .members([
            ("forged_accepted_per_10000", Self.tenThousandths(errors.forgedAccepted)),
            ("genuine_refused_per_10000", Self.tenThousandths(errors.genuineRefused)),
            ("measured_by", .text(isOwn ? "organisation" : "program")),
            ("others_accepted_per_10000", Self.tenThousandths(errors.othersAccepted)),
            ("plot", .string(rates.plot(threshold: model.threshold))),
            ("sets", .array(rates.sets.map { .string($0) })),
        ])
    }

    private static func tenThousandths(_ share: Double) -> JSON {
        .integer(Int64((share * 10_000).rounded(.toNearestOrAwayFromZero)))
    }
}
