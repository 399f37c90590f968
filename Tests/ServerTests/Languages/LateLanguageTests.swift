import Foundation
import Synchronization
import Testing

@testable import Server

@Suite("Pages in another language are put together when somebody first reads one")
struct LateLanguageTests {
    private final class Count: Sendable {
        let made = Mutex(0)

        func next() -> Int {
            made.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("what is made late is made once, and not before somebody asks")
    func once() throws {
        let count = Count()
        let late = MadeOnce { count.next() }
        #expect(count.made.withLock { $0 } == 0)
        #expect(try late.value == 1)
        #expect(try late.value == 1)
    }

    @Test("a template that is wrong in a translation stops that language, and not the start")
    func mistake() throws {
        let templates = ["shell/layout": "<p>Hello</p>"]
        let wrong = try #require(WordCatalogue(code: "xx", files: [Data(#"{"Hello": "{{#a}}"}"#.utf8)]))
        let texts = MadeOnce { try PageTexts(templates: templates, modules: [:]) }
        let language = PageLanguage(wrong, templates, texts)
        #expect(throws: WebFolder.Mistake.self) { try language.isWhole("shell/layout") }
    }

    @Test("each of the languages that we ship can be put together")
    func all() throws {
        for language in try WebFolder(Pages.builtFolder).languages {
            #expect(try language.isWhole("shell/layout"), "\(language.catalogue.code)")
        }
    }
}
