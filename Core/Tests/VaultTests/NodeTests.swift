import Encodings
import Testing

@testable import Vault

/// A compartment with a folder, a file in it, and a note beside it.
struct Sample {
    let suite = TestSuite()
    let compartment: Compartment
    let folder: OpenedNode
    let file: OpenedNode
    let note: OpenedNode
    let version: OpenedVersion

    init() throws {
        compartment = try .random(suite)
        folder = try compartment.make(Self.metadata(.folder, "Papers"), in: compartment.root, suite: suite)
        let empty = try compartment.make(Self.metadata(.file, "Degree.pdf"), in: folder.key, suite: suite)
        version = try compartment.newVersion(of: empty.id, size: 70_000, now: 1_000, suite: suite)
        file = try compartment.add(
            version, content: .text("blob"), to: empty, metadata: empty.metadata, in: folder.key, suite: suite)
        var text = try Self.metadata(.note, "Codes")
        text.text = .text("the text of the note")
        note = try compartment.make(text, in: compartment.root, suite: suite)
    }

    static func metadata(_ kind: NodeMetadata.Kind, _ name: String) throws -> NodeMetadata {
        NodeMetadata(kind, name: try NodeName(.text(name)), created: 1_700_000_000_000)
    }

    var records: [NodeRecord] { [folder.record, file.record, note.record] }
    func tree(_ records: [NodeRecord]? = nil, with locks: [ItemLock] = []) throws -> VaultTree {
        try VaultTree(records ?? self.records, of: compartment, with: locks, suite: suite)
    }
}

extension NodeRecord {
    /// The record with some parts of another one.
    func taking(
        id: NodeID? = nil, place: Bytes? = nil, key: Bytes? = nil, metadata: Bytes? = nil, revision: UInt64? = nil,
        versions: [VersionRecord]? = nil
    ) throws -> NodeRecord {
        try NodeRecord(
            id: id ?? self.id, place: place ?? self.place, key: key ?? self.key, metadata: metadata ?? self.metadata,
            revision: revision ?? self.revision, versions: versions ?? self.versions)
    }
}

@Suite struct NodeTests {
    let sample: Sample
    var suite: TestSuite { sample.suite }

    init() throws { sample = try Sample() }

    @Test func aTreeIsReadFromItsRoot() throws {
        let tree = try sample.tree()
        #expect(tree.nodes.count == 3 && tree.locked.isEmpty && tree.unreachable.isEmpty)
        #expect(tree.node(sample.file.id)?.metadata.name.bytes == .text("Degree.pdf"))
        #expect(tree.node(sample.note.id)?.metadata.text == .text("the text of the note"))
        #expect(try tree.path(of: sample.file.id) == [sample.file.id, sample.folder.id])
        #expect(tree.children(of: .root).count == 2)
    }

    @Test func nothingOpensWithAnotherKey() throws {
        let other = try Compartment.random(suite)
        #expect(other.id != sample.compartment.id)
        #expect(refusal { try other.open(sample.folder.record, in: other.root, suite: suite) } == .cannotOpen)
        #expect(try VaultTree(sample.records, of: other, suite: suite).unreachable.count == 3)
    }

    /// Every bit of every part counts.
    @Test func nothingOpensThatWasChanged() throws {
        let record = sample.file.record
        func open(_ record: NodeRecord) throws {
            _ = try sample.compartment.open(record, in: sample.folder.key, suite: suite)
        }
        for index in record.place.indices {
            #expect(refusal { try open(record.taking(place: record.place.flipping(index))) } == .cannotOpen)
        }
        for index in record.key.indices {
            #expect(refusal { try open(record.taking(key: record.key.flipping(index))) } == .cannotOpen)
        }
        for index in record.metadata.indices {
            #expect(refusal { try open(record.taking(metadata: record.metadata.flipping(index))) } == .cannotOpen)
        }
        #expect(refusal { try open(record.taking(revision: record.revision + 1)) } == .cannotOpen)
        let version = record.versions[0]
        for index in version.key.indices {
            let changed = try VersionRecord(
                id: version.id, content: version.content, key: version.key.flipping(index),
                sealedLength: version.sealedLength)
            #expect(refusal { try sample.compartment.open(changed, of: sample.file.key, suite: suite) } == .cannotOpen)
        }
    }

    /// A server that exchanges parts between two records of one folder.
    @Test func partsOfOtherNodesDoNotFit() throws {
        let other = try sample.compartment.make(Sample.metadata(.file, "Other"), in: sample.folder.key, suite: suite)
            .record
        let record = sample.file.record
        func open(_ record: NodeRecord) throws {
            _ = try sample.compartment.open(record, in: sample.folder.key, suite: suite)
        }
        #expect(refusal { try open(record.taking(place: other.place)) } == .cannotOpen)
        #expect(refusal { try open(record.taking(key: other.key)) } == .cannotOpen)
        #expect(refusal { try open(record.taking(metadata: other.metadata)) } == .cannotOpen)
        #expect(refusal { try open(other.taking(id: record.id)) } == .cannotOpen)
        let version = record.versions[0]
        let otherKey = try sample.compartment.open(other, in: sample.folder.key, suite: suite).key
        #expect(refusal { try sample.compartment.open(version, of: otherKey, suite: suite) } == .cannotOpen)
        let renamed = try VersionRecord(
            id: .random(suite), content: version.content, key: version.key, sealedLength: version.sealedLength)
        #expect(refusal { try sample.compartment.open(renamed, of: sample.file.key, suite: suite) } == .cannotOpen)
        let longer = try VersionRecord(
            id: version.id, content: version.content, key: version.key, sealedLength: version.sealedLength + 1)
        #expect(refusal { try sample.compartment.open(longer, of: sample.file.key, suite: suite) } == .malformed)
    }

    /// An old name, an old place or an old key does not go with what came later.
    @Test func partsOfEarlierRevisionsDoNotFit() throws {
        var metadata = sample.file.metadata
        metadata.name = try NodeName(.text("Degree 2.pdf"))
        let renamed = try sample.compartment.change(sample.file, to: metadata, in: sample.folder.key, suite: suite)
        #expect(renamed.record.revision == sample.file.record.revision + 1)
        let mixed = try renamed.record.taking(metadata: sample.file.record.metadata)
        #expect(refusal { try sample.compartment.open(mixed, in: sample.folder.key, suite: suite) } == .cannotOpen)
        let moved = try sample.compartment.move(renamed, to: sample.compartment.root, suite: suite).record
        for half in [try moved.taking(place: renamed.record.place), try moved.taking(key: renamed.record.key)] {
            #expect(
                refusal { try sample.compartment.open(half, in: sample.compartment.root, suite: suite) } == .cannotOpen)
            #expect(refusal { try sample.compartment.open(half, in: sample.folder.key, suite: suite) } == .cannotOpen)
        }
        #expect(try sample.compartment.open(moved, in: sample.compartment.root, suite: suite).metadata == metadata)
    }

    @Test func nothingMovesIntoItself() throws {
        var tree = try sample.tree()
        let inner = try sample.compartment.make(Sample.metadata(.folder, "Inner"), in: sample.folder.key, suite: suite)
        tree.put(inner)
        #expect(refusal { try tree.move(sample.folder.id, to: inner.id, suite: suite) } == .cyclicMove)
        #expect(refusal { try tree.move(sample.folder.id, to: sample.folder.id, suite: suite) } == .cyclicMove)
        #expect(refusal { try tree.move(sample.folder.id, to: sample.file.id, suite: suite) } == .notFound)
        let record = try tree.move(inner.id, to: .root, suite: suite)
        #expect(try sample.compartment.parent(of: record, suite: suite) == .root)
        // Two records that were moved into each other are found, and end nothing.
        let first = try sample.compartment.move(sample.folder, to: inner.key, suite: suite).record
        #expect(try sample.tree([first, inner.record, sample.note.record]).unreachable.count == 2)
        #expect(refusal { try sample.tree([first, first]) } == .malformed)
    }

    /// Who could read a folder reads nothing of it afterwards, and the contents were not touched.
    @Test func rotatingTakesAccessAway() throws {
        var tree = try sample.tree()
        let old = sample.folder.key
        let records = try tree.rotate(sample.folder.id, suite: suite)
        #expect(Set(records.map(\.id)) == [sample.folder.id, sample.file.id])
        let again = try sample.tree(records + [sample.note.record])
        let file = try #require(again.node(sample.file.id))
        #expect(file.key.generation == 2 && file.metadata == sample.file.metadata)
        #expect(try sample.compartment.open(file.record.versions[0], of: file.key, suite: suite) == sample.version)
        #expect(file.record.versions[0].content == sample.file.record.versions[0].content)
        #expect(refusal { try sample.compartment.open(file.record, in: old, suite: suite) } == .cannotOpen)
        #expect(
            refusal { try sample.compartment.open(file.record.versions[0], of: sample.file.key, suite: suite) }
                == .cannotOpen)
    }

    @Test func anotherCompartmentTakesNodesOver() throws {
        let other = try Compartment.random(suite)
        let folder = try other.adopt(sample.folder, from: sample.compartment, in: other.root, suite: suite)
        let file = try other.adopt(sample.file, from: sample.compartment, in: folder.key, suite: suite)
        let tree = try VaultTree([folder.record, file.record], of: other, suite: suite)
        #expect(tree.nodes.count == 2)
        let version = try other.open(file.record.versions[0], of: file.key, suite: suite)
        #expect(version == sample.version && version.context == sample.version.context)
        #expect(
            refusal { try sample.compartment.open(folder.record, in: sample.compartment.root, suite: suite) }
                == .cannotOpen)
    }

    @Test func recordsOfOtherLengthsAreRefused() throws {
        let record = sample.file.record
        #expect(refusal { try record.taking(place: record.place + [0]) } == .malformed)
        #expect(refusal { try record.taking(key: record.key.dropLast()) } == .malformed)
        #expect(refusal { try record.taking(metadata: Array(record.metadata.prefix(500))) } == .malformed)
        #expect(refusal { try record.taking(revision: 0) } == .malformed)
        #expect(refusal { try record.taking(id: .root) } == .malformed)
        #expect(refusal { try NodeID(Bytes(repeating: 1, count: 15)) } == .malformed)
    }
}
