import Testing

@testable import Server

@Suite("Large bodies")
struct LargeBodyTests {
    @Test("have a few places for each account and for all, and give them back")
    func places() {
        let bodies = LargeBodies()
        for _ in 0..<Limits.largeBodiesPerAccount { #expect(bodies.enter("eve")) }
        #expect(!bodies.enter("eve"))
        let others = Limits.largeBodies - Limits.largeBodiesPerAccount
        for number in 0..<others { #expect(bodies.enter("account \(number)")) }
        #expect(!bodies.enter("one more"))
        bodies.leave("eve")
        #expect(bodies.enter("one more"))
        #expect(!bodies.enter("eve"))
    }

    @Test("leave their place when the work fails, and small ones need none")
    func failure() async throws {
        struct Refusal: Error {}
        let bodies = LargeBodies()
        for _ in 0..<20 {
            await #expect(throws: Refusal.self) {
                try await bodies.within(.document, account: "a") { throw Refusal() } as Void
            }
        }
        for number in 0..<Limits.largeBodies { #expect(bodies.enter("account \(number)")) }
        let small = try await bodies.within(.small, account: "a") { true }
        #expect(small)
        await #expect(throws: Problem.self) { try await bodies.within(.document, account: "a") {} }
    }
}
