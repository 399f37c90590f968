import CryptoProvider
package import Encodings
package import HandSignatures
package import Interface
import Storage

/// The organisation's own models, which replace those that come with the program.
///
/// The servers are stopped: they read models when they start, so that one transaction is judged by one model.
package struct OwnModels: Sendable {
    /// Why a model is not taken.
    package enum Refusal: Error, Equatable {
        /// It is no model, or one for other inputs than this version has.
        case model(ModelError)
        /// The error rates are no file that `countersign signatures evaluate --rates` wrote.
        case rates
        /// The one is for pens, the other for fingers.
        case otherTool
        /// The error rates are another model's.
        case otherModel
        /// There is none to remove.
        case none
    }

    /// A model is installed that this version cannot read: nobody is judged by another one instead.
    package struct Unreadable: Error, Equatable {
        package let tool: SignatureTool
    }

    /// A model that judges, in figures.
    package struct Entry: Sendable, Equatable {
        package let tool: Capture.Tool
        /// Whether the organisation installed it.
        package let isOwn: Bool
        /// SHA-256 of its file, base64url, as it is in records.
        package let digest: String
        package let threshold: Double
        /// What the errors were measured on.
        package let sets: [String]
    }

    /// A model that may be installed, and what it would mean.
    package struct Candidate: Sendable {
        let own: JudgingModel

        /// How many of 10,000 signatures it mistakes: genuine ones, and forgeries by people who had practised.
        package var errors: (genuineRefused: Int64, forgedAccepted: Int64) {
            (own.errors.genuineRefused, own.errors.forgedAccepted)
        }
    }

    let environment: Environment

    /// The models of a server that is open and not running.
    package init(of server: CountersignServer) {
        self.init(environment: server.environment)
    }

    init(environment: Environment) {
        self.environment = environment
    }

    /// What judges from the next start.
    package func list() async throws -> [Entry] {
        let judge = try await SignatureJudge.current(in: environment.database)
        return [judge.pen, judge.touch].map { one in
            Entry(
                tool: one.model.tool, isOwn: one.isOwn, digest: one.digest, threshold: one.model.threshold,
                sets: one.rates.sets.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Reads a model with its error rates.
    ///
    /// - Throws: `Refusal`.
    package static func candidate(model: Bytes, rates: Bytes) throws -> Candidate {
        let read: SignatureModel
        do throws(ModelError) {
            read = try SignatureModel(file: model)
        } catch {
            throw Refusal.model(error)
        }
        guard let rates = RatesFile(rates) else { throw Refusal.rates }
        guard rates.tool == read.tool else { throw Refusal.otherTool }
        let own = JudgingModel(read, rates, isOwn: true)
        guard rates.judgedBy == Bytes(text: own.digest) || rates.judgedBy == RatesFile.crossValidation else {
            throw Refusal.otherModel
        }
        return Candidate(own: own)
    }

    /// Installs a model; the log says so.
    package func install(_ candidate: Candidate) async throws -> Interface.Receipt {
        try await change(candidate.own) { transaction, now in
            try ModelStore(transaction: transaction).set(candidate.own, at: now)
        }
    }

    /// Goes back to the program's model; the log says so.
    ///
    /// - Throws: `Refusal.none`.
    package func remove(_ tool: Capture.Tool) async throws -> Interface.Receipt {
        guard tool != .mouse else { throw Refusal.none }
        return try await change(ShippedModels.judging(tool)) { transaction, _ in
            guard try ModelStore(transaction: transaction).remove(tool) else { throw Refusal.none }
        }
    }

    private func change(
        _ next: JudgingModel, _ body: @escaping @Sendable (Transaction, Int64) throws -> Void
    ) async throws -> Interface.Receipt {
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            try body(transaction, now)
            return try environment.log.record(
                TrustEvent(
                    .modelChanged, account: owner.id,
                    [
                        ("model", .text(next.digest)), ("rates", .text(next.ratesDigest)),
                        ("tool", .text(SignatureTool(next.model.tool).rawValue)),
                    ]),
                in: transaction, now: now)
        }
        return try await environment.log.receipt(index)
    }
}
