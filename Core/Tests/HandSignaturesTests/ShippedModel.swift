import Foundation

@testable import HandSignatures

/// The models that come with the program.
enum ShippedModel {
    static func read(_ tool: Capture.Tool) throws -> SignatureModel {
        try SignatureModel(file: file("Web/hand-signatures/\(tool == .pen ? "pen" : "touch")-model.json"))
    }

    /// A file of the repository.
    static func file(_ path: String) throws -> [UInt8] {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return try [UInt8](Data(contentsOf: folder.appendingPathComponent(path)))
    }
}

/// One who judges signatures of one client as the desk does.
struct Desk {
    let model: SignatureModel
    let enrolment: Enrolment

    init(_ references: [Capture], _ model: SignatureModel) throws {
        self.model = model
        enrolment = Enrolment(try references.map { try PreparedSignature($0, model.preparation) })
    }

    /// The score less the threshold: at most 0 for what is accepted.
    func difference(_ capture: Capture) throws -> Double {
        model.score(try PreparedSignature(capture, model.preparation), against: enrolment) - model.threshold
    }
}
