import Encodings
import Testing

@testable import Vault

@Suite struct HeadTests {
    let sample: Sample
    let head: VaultHead
    var suite: TestSuite { sample.suite }

    init() throws {
        sample = try Sample()
        head = try VaultHead().changed(
            removing: [], adding: sample.records, in: sample.compartment, suite: sample.suite)
    }

    func check(_ records: [NodeRecord]) -> VaultError? {
        refusal { try head.check(records, in: sample.compartment, suite: suite) }
    }

    @Test func aHeadSurvivesSealing() throws {
        let sealed = try head.sealed(of: sample.compartment, suite: suite)
        #expect(sealed.count == VaultHead.sealedByteCount)
        #expect(try VaultHead(sealed, of: sample.compartment, suite: suite) == head)
        #expect(head.sequence == 1 && head.count == 3)
        let other = try Compartment.random(suite)
        #expect(refusal { try VaultHead(sealed, of: other, suite: suite) } == .cannotOpen)
        for index in sealed.indices {
            #expect(
                refusal { try VaultHead(sealed.flipping(index), of: sample.compartment, suite: suite) } == .cannotOpen)
        }
    }

    @Test func theOrderDoesNotCount() { #expect(check(sample.records.reversed()) == nil) }

    @Test func aMissingRecordIsFound() { #expect(check(Array(sample.records.dropLast())) == .incomplete) }

    @Test func aRecordThatCameBackIsFound() throws {
        let more = try sample.compartment.make(Sample.metadata(.note, "Old"), in: sample.compartment.root, suite: suite)
        #expect(check(sample.records + [more.record]) == .incomplete)
        // Nor does it help to hand one out twice more, which leaves the sum as it is.
        #expect(check(sample.records + [more.record, more.record]) == .incomplete)
    }

    /// A device that has never seen the vault finds one old record among new ones.
    @Test func oneOldRecordAmongNewOnesIsFound() throws {
        var metadata = sample.note.metadata
        metadata.text = .text("changed")
        let changed = try sample.compartment.change(
            sample.note, to: metadata, in: sample.compartment.root, suite: suite
        ).record
        let next = try head.changed(
            removing: [sample.note.record], adding: [changed], in: sample.compartment, suite: suite)
        let present = [sample.folder.record, sample.file.record, changed]
        #expect(throws: Never.self) { try next.check(present, in: sample.compartment, suite: suite) }
        #expect(refusal { try next.check(sample.records, in: sample.compartment, suite: suite) } == .incomplete)
    }

    @Test func olderVersionsMayGoButNotTheNewest() throws {
        let version = try sample.compartment.newVersion(of: sample.file.id, size: 9, now: 2, suite: suite)
        let file = try sample.compartment.add(
            version, content: .text("new"), to: sample.file, metadata: sample.file.metadata, in: sample.folder.key,
            suite: suite
        ).record
        #expect(file.versions.count == 2)
        let head = try VaultHead().changed(removing: [], adding: [file], in: sample.compartment, suite: suite)
        func check(_ versions: [VersionRecord]) -> VaultError? {
            refusal { try head.check([file.taking(versions: versions)], in: sample.compartment, suite: suite) }
        }
        #expect(check(Array(file.versions.prefix(1))) == nil)
        #expect(check(Array(file.versions.suffix(1))) == .incomplete)
        #expect(check([]) == .incomplete)
    }

    @Test func emptyingGivesTheEmptySum() throws {
        let empty = try head.changed(removing: sample.records, adding: [], in: sample.compartment, suite: suite)
        #expect(empty.count == 0 && empty.sequence == 2)
        #expect(throws: Never.self) { try empty.check([], in: sample.compartment, suite: suite) }
        #expect(
            refusal { try empty.changed(removing: sample.records, adding: [], in: sample.compartment, suite: suite) }
                == .incomplete)
    }

    @Test func aDeviceRefusesWhatIsOlderThanItSaw() throws {
        let second = try head.changed(removing: [], adding: [], in: sample.compartment, suite: suite)
        var seen = SeenState()
        #expect(seen.nodes.isEmpty)
        try seen.check(second, sample.records)
        #expect(seen.nodes == sample.records.map(\.id).sorted())
        let before = seen
        #expect(refusal { try seen.check(head, sample.records) } == .rolledBack)
        // A server that let a new device write on from an old state: the sequence is higher, a revision is not.
        let third = try second.changed(removing: [], adding: [], in: sample.compartment, suite: suite)
        let old = try sample.file.record.taking(revision: 1)
        #expect(refusal { try seen.check(third, [old]) } == .rolledBack)
        #expect(seen == before)
        let kept = try seen.sealed(of: sample.compartment, suite: suite)
        #expect(try SeenState(kept, of: sample.compartment, suite: suite) == seen)
        #expect(throws: Never.self) { try seen.check(third, []) }
        #expect(seen.nodes.isEmpty)
    }
}
