import Testing

@testable import Server

@Suite("Places")
struct PlacesTests {
    @Test("there are as many as were said, of each and of all, and one that nobody holds any more is free again")
    func limited() {
        let places = Places(3, ofEach: 2)
        var first = places.take(for: "eve")
        let second = places.take(for: "eve")
        #expect(first != nil && second != nil)
        #expect(places.take(for: "eve") == nil)
        let others = places.take(for: "alice")
        #expect(others != nil && places.take(for: "bob") == nil)
        first = nil
        let third = places.take(for: "eve")
        #expect(third != nil && places.take(for: "bob") == nil)
        withExtendedLifetime((first, second, third, others)) {}
    }
}
