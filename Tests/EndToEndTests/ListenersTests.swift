import Foundation
import Testing

/// The benchmark of live updates on a real server with few who listen: it counts what it is to count.
@Suite("Listeners of live updates")
struct ListenersTests {
    private struct Figures: Decodable {
        struct Part: Decodable {
            let listeners: Int
            let accounts: Int
            let lost: Int
            let stray: Int
            let residentMebibytes: Double
        }

        let few: Part
        let many: Part
        let kibibytesOfBareStream: Double?
    }

    @Test("an act's event reaches each listener of its account once, and nobody else's")
    func reached() async throws {
        let found = try await Program.runAside(
            Program.bench,
            ["listeners", "--count", "36", "--few", "10", "--acts", "6", "--quiet", "0", "--json"])
        #expect(found.status == 0, "\(found.output) \(found.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let figures = try decoder.decode(Figures.self, from: Data(found.output.utf8))
        #expect(figures.few.listeners == 10 && figures.few.accounts == 2)
        #expect(figures.many.listeners == 36 && figures.many.accounts == 5)
        for part in [figures.few, figures.many] {
            #expect(part.lost == 0 && part.stray == 0 && part.residentMebibytes > 1)
        }
    }

    @Test("a service's question reaches each wallet of the member who is asked, and nobody else's")
    func asked() async throws {
        let found = try await Program.runAside(
            Program.bench,
            [
                "listeners", "--questions", "--count", "12", "--few", "4", "--each", "1", "--acts", "6", "--quiet", "0",
                "--json",
            ])
        #expect(found.status == 0, "\(found.output) \(found.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let figures = try decoder.decode(Figures.self, from: Data(found.output.utf8))
        #expect(figures.few.accounts == 4 && figures.many.accounts == 12)
        #expect(figures.few.lost + figures.few.stray + figures.many.lost + figures.many.stray == 0)
        // As many streams of the library alone were there, for their memory.
        #expect(figures.kibibytesOfBareStream != nil)
    }
}
