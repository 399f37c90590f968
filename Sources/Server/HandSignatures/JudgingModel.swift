import CryptoProvider
import Encodings
import HandSignatures
import Synchronization

/// A model that the server judges by, and how often it errs.
struct JudgingModel: Sendable {
    let model: SignatureModel
    /// The results of an evaluation, on people from whom the model had not learnt.
    let rates: RatesFile
    /// SHA-256 of the model's file, base64url.
    let digest: String
    /// SHA-256 of the file of the rates, base64url.
    let ratesDigest: String
    /// Whether the organisation installed it, rather than that it came with the program.
    let isOwn: Bool
    private let told = Told()

    init(_ model: SignatureModel, _ rates: RatesFile, isOwn: Bool) {
        self.model = model
        self.rates = rates
        self.isOwn = isOwn
        digest = SHA256.hash(model.file()).base64URL
        ratesDigest = SHA256.hash(rates.file()).base64URL
    }

    /// How often it errs at its threshold, in ten thousandths.
    var errors: (genuineRefused: Int64, forgedAccepted: Int64, othersAccepted: Int64) {
        let errors = rates.rates(at: model.threshold)
        func tenThousandths(_ share: Double) -> Int64 { Int64((share * 10_000).rounded(.toNearestOrAwayFromZero)) }
        return (
            tenThousandths(errors.genuineRefused), tenThousandths(errors.forgedAccepted),
            tenThousandths(errors.othersAccepted)
        )
    }

    /// The errors at the model's threshold as reports give them: shares in ten thousandths, and the curve.
    var errorRates: JSON {
        told.errorRates.withLock { known in
            if let known { return known }
            let errors = errors
            let made = JSON.members([
                ("forged_accepted_per_10000", .integer(errors.forgedAccepted)),
                ("genuine_refused_per_10000", .integer(errors.genuineRefused)),
                ("measured_by", .text(isOwn ? "organisation" : "program")),
                ("others_accepted_per_10000", .integer(errors.othersAccepted)),
                ("plot", .string(rates.plot(threshold: model.threshold))),
                ("sets", .array(rates.sets.map { .string($0) })),
            ])
            known = made
            return made
        }
    }

    /// Figures and curve take a while, and are the same for every signature.
    private final class Told: Sendable {
        let errorRates = Mutex<JSON?>(nil)
    }
}
