import Archives
import CryptoProvider
import Encodings
import Foundation
import Testing

/// Archives go both ways between us and Debian's `tar`.
@Suite("tar and we")
final class TarInteropTests {
    private let folder: URL
    private let names = [
        "a", "Zeugnis 2024.pdf", "ملف", String(repeating: "n", count: 100), String(repeating: "n", count: 101),
        String(repeating: "é", count: 120),
        "deep/" + String(repeating: "folder-of-thirty-characters-x/", count: 12) + "end",
    ]

    init() throws { folder = try OtherPrograms.temporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs a shell command in the folder of the test.
    @discardableResult
    private func shell(_ command: String) throws -> OtherPrograms.Result {
        let result = try OtherPrograms.run(["bash", "-c", "cd \"$0\" && set -e -o pipefail; \(command)", folder.path])
        #expect(result.status == 0 && result.errors.isEmpty, "\(command): \(result.errors)")
        return result
    }

    private func read(_ name: String) throws -> Bytes {
        Bytes(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    private func unpack(_ archive: Bytes) throws -> [Bytes: Bytes] {
        var (reader, files, last) = (TarReader(), [Bytes: Bytes](), Bytes())
        for start in stride(from: 0, to: archive.count, by: 700) {
            reader.feed(Array(archive[start..<min(start + 700, archive.count)]))
            while let event = try reader.next() {
                switch event {
                case .entry(let entry):
                    last = entry.path.text
                    if entry.kind != .folder { files[last] = [] }
                case .content(let content): files[last, default: []] += content
                }
            }
        }
        try reader.finish()
        return files
    }

    @Test("tar unpacks and lists what we pack")
    func ours() throws {
        var (writer, archive) = (TarWriter(), Bytes())
        var contents: [String: Bytes] = [:]
        for (index, name) in names.enumerated() {
            let path = try ArchivePath(Bytes(text: name).split(at: 0x2F))
            let content = RandomBytes.make(index * 300)
            contents[name] = content
            let entry = ArchiveEntry(
                path: path, kind: .file(length: Int64(content.count)), modified: Int64(index) << 32)
            try writer.begin(entry, appendingTo: &archive)
            try writer.write(content, appendingTo: &archive)
        }
        let empty = ArchiveEntry(path: try ArchivePath([Bytes(text: "empty")]), kind: .folder, modified: -5)
        try writer.begin(empty, appendingTo: &archive)
        try writer.finish(appendingTo: &archive)
        try Data(archive).write(to: folder.appendingPathComponent("ours.tar"))
        try shell("mkdir out; tar --warning=no-timestamp -xf ours.tar -C out")
        for (name, content) in contents { #expect(try read("out/\(name)") == content) }
        let times = try shell("stat -c %Y out/a 'out/Zeugnis 2024.pdf' out/empty").output
        #expect(times == "0\n4294967296\n-5\n")
        #expect(try shell("tar -tf ours.tar | wc -l").output == "\(names.count + 1)\n")
        #expect(try shell("stat -c %a out/a out/empty").output == "600\n700\n")
    }

    @Test("We unpack what tar packs, in each of its formats", arguments: ["gnu", "pax", "posix", "oldgnu"])
    func theirs(format: String) throws {
        var contents: [Bytes: Bytes] = [:]
        for (index, name) in names.enumerated() {
            let file = folder.appendingPathComponent("in/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let content = RandomBytes.make(index * 300)
            contents[Bytes(text: name)] = content
            try Data(content).write(to: file)
        }
        try shell("tar --format=\(format) -cf theirs.tar -C in .")
        #expect(try unpack(read("theirs.tar")) == contents)
        try shell("tar --format=\(format) --transform 's,^\\./,,' -cf theirs.tar -C in .")
        #expect(try unpack(read("theirs.tar")) == contents)
    }

    @Test(
        "What tar packs of links, devices, pipes and sparse files is refused",
        arguments: [
            ("ln -s /etc/passwd in/x", ArchiveError.link), ("echo a >in/w; ln in/w in/x", .link),
            ("mkfifo in/x", .unsupported),
            ("truncate -s 1M in/x; echo a >>in/x", .unsupported),
        ], ["gnu", "pax"])
    func refused(one: (command: String, error: ArchiveError), format: String) throws {
        try shell("mkdir in; \(one.command); tar -S --format=\(format) -cf theirs.tar -C in .")
        #expect(throws: one.error) { try unpack(read("theirs.tar")) }
    }

    @Test(
        "Paths that tar packs on request and we refuse", arguments: ["/etc/hostname", "../outside", "in/../../outside"])
    func paths(path: String) throws {
        try shell("mkdir in; tar -P --transform 's,.*,\(path),' -cf theirs.tar in")
        #expect(throws: ArchiveError.unsafePath) { try unpack(read("theirs.tar")) }
    }
}
