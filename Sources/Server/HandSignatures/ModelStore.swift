import Encodings
import HandSignatures
import Interface
import Storage

/// The organisation's own models in the database, at most one for each tool.
struct ModelStore {
    let transaction: Transaction

    /// The own model for a tool; `nil` when the program's judges.
    ///
    /// - Throws: `OwnModels.Unreadable`.
    func find(_ tool: Capture.Tool) throws -> JudgingModel? {
        let row = try transaction.row(
            "SELECT model, rates FROM desk_models WHERE tool = $1", [.text(SignatureTool(tool).rawValue)])
        guard let row else { return nil }
        guard let model = try? SignatureModel(file: Bytes(text: try row.text("model"))),
            let rates = RatesFile(Bytes(text: try row.text("rates"))), model.tool == tool, rates.tool == tool
        else { throw OwnModels.Unreadable(tool: SignatureTool(tool)) }
        return JudgingModel(model, rates, isOwn: true)
    }

    func set(_ own: JudgingModel, at time: Int64) throws {
        _ = try remove(own.model.tool)
        try transaction.execute(
            "INSERT INTO desk_models (tool, model, rates, installed) VALUES ($1, $2, $3, $4)",
            [
                .text(SignatureTool(own.model.tool).rawValue), .text(String(decoding: own.model.file(), as: UTF8.self)),
                .text(String(decoding: own.rates.file(), as: UTF8.self)), .integer(time),
            ])
    }

    /// - Returns: whether there was one.
    func remove(_ tool: Capture.Tool) throws -> Bool {
        try transaction.changes("DELETE FROM desk_models WHERE tool = $1", [.text(SignatureTool(tool).rawValue)]) > 0
    }
}
