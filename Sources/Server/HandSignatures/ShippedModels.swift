import Encodings
package import HandSignatures
import Storage
import Web

/// The models that come with the program: one for pens, one for fingers.
///
/// `countersign signatures train` made them from research sets; docs/signature-models.md says from which, and how good
/// they are. An organisation does better with one of its own devices.
package enum ShippedModels {
    /// Reads one.
    ///
    /// - Throws: when the file beside the program is missing or another version's: the program is not whole.
    package static func read(_ tool: Capture.Tool) throws -> SignatureModel {
        try SignatureModel(file: file(tool == .pen ? "pen-model.json" : "touch-model.json"))
    }

    /// The server's models when the organisation has installed none.
    static func judging(_ tool: Capture.Tool) throws -> JudgingModel {
        try (tool == .pen ? pen : touch).get()
    }

    // They are part of the program and stay while it runs: each is read once.
    private static let pen = Result { try JudgingModel(read(.pen), rates(.pen), isOwn: false) }
    private static let touch = Result { try JudgingModel(read(.touch), rates(.touch), isOwn: false) }

    /// How often a model erred on people from whom it had not learnt.
    private static func rates(_ tool: Capture.Tool) throws -> RatesFile {
        let name = tool == .pen ? "pen-rates.json" : "touch-rates.json"
        guard let rates = RatesFile(try file(name)) else { throw StorageError.ioError(detail: "\(name) is damaged") }
        return rates
    }

    private static func file(_ name: String) throws -> Bytes {
        let path = "\(WebFiles.folder)/hand-signatures/\(name)"
        guard let file = try DurableFile.read(path) else { throw StorageError.ioError(detail: "\(path) is missing") }
        return file
    }
}
