import Testing

@testable import Server

@Suite("Places")
struct PlacesTests {
    @Test("there are as many as were said, and one that nobody holds any more is free again")
    func limited() {
        let places = Places(2)
        var first = places.take()
        let second = places.take()
        #expect(first != nil && second != nil)
        #expect(places.take() == nil)
        first = nil
        let third = places.take()
        #expect(third != nil && places.take() == nil)
        withExtendedLifetime((first, second, third)) {}
    }
}
