import Foundation
import Testing
import Verification

@testable import Server

/// The sentences that Core has in English and pages have in every language.
@Suite("The words of Core in pages")
struct CoreWordsTests {
    @Test("have each reason of a check, with the sentence that Core has for it")
    func reasons() throws {
        let path = Pages.builtFolder + "/verification/reasons.js"
        let module = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let keys = ModuleTexts.keys(of: module).map(\.text)
        #expect(keys.sorted() == Reason.allCases.map(\.sentence).sorted())
        for reason in Reason.allCases {
            #expect(module.contains("\n  \(reason.code): t`\(reason.sentence)`,\n"), "\(reason.code)")
        }
    }
}
