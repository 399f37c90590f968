import Testing

@testable import Bench
@testable import Server
@testable import countersign

/// Commands and acts of the hammer against the server's list of slices.
@Suite("Every slice has its commands and its load")
struct SliceListTests {
    private let slices = Set(Server.Slice.all.map(\.name))

    @Test("every slice has a command, and no command is of a slice that is not there")
    func commands() {
        #expect(SliceCommands.all.reduce(into: Set()) { $0.formUnion($1.slices) } == slices)
    }

    @Test("the hammer does acts of every slice, and of no other")
    func acts() {
        #expect(Set(HammerAct.Kind.allCases.map(\.slice)) == slices)
    }

    @Test("acts that leave entries in the log say a type that the server knows")
    func entries() {
        let known = Set(Server.Slice.all.events.map(\.rawValue))
        for kind in HammerAct.Kind.allCases {
            guard let type = kind.entryType else { continue }
            #expect(known.contains(type), "\(kind)")
        }
    }
}
