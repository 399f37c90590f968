import Age
import Archives
import BrowserCalls
import Encodings

/// The one file that is written or read.
final class ExportDesk: @unchecked Sendable {
    // A worker has one thread, and calls come one after the other.
    private var sealer: AgeSealer<ExportSuite>?
    private var writer = TarWriter()
    private var opener: AgeOpener<ExportSuite>?
    private var reader = TarReader()
    private var suite = ExportSuite()
    private var identities: [AgeIdentity] = []
    /// The beginning of a file whose passphrase is not stretched yet.
    private var beginning: Bytes?

    /// The length of what scrypt gives.
    private static let keyLength = 32
    /// The highest work factor that a page computes: 1 GiB.
    private static let highestLogWork = AgeLimits.highestLogWork

    /// Writing a file.
    var writing: [Function] {
        [
            Function("stretch", ["salt", "log_work"], blobs: 1...1, Self.stretch),
            Function("write", ["random", "log_work"], blobs: 1...2) { [self] call throws(BrowserError) in
                try beginWriting(call)
            },
            Function("entry", ["names", "folder", "length", "modified"]) { [self] call throws(BrowserError) in
                try beginEntry(call)
            },
            Function("content", [], blobs: 1...1) { [self] call throws(BrowserError) in
                try written { writer, output throws(ArchiveError) in
                    try writer.write(call.blobs[0], appendingTo: &output)
                }
            },
            Function("write_end", []) { [self] _ throws(BrowserError) in try endWriting() },
        ]
    }

    /// Reading a file.
    var reading: [Function] {
        [
            Function("read", [], blobs: 1...1) { [self] call throws(BrowserError) in try beginReading(call) },
            Function("feed", [], blobs: 1...2) { [self] call throws(BrowserError) in try feed(call) },
            Function("read_end", []) { [self] _ throws(BrowserError) in try endReading() },
        ]
    }

    /// scrypt: `{salt, log_work}` and the passphrase as a blob → a blob of 32 bytes.
    private static func stretch(_ call: Call) throws(BrowserError) -> Answer {
        let logWork = try call.number("log_work")
        guard logWork >= 1, logWork <= Int64(highestLogWork), AgeLimits.passphrase ~= call.blobs[0].count,
            let key = Scrypt.derive(call.blobs[0], salt: try call.bytes("salt"), logWork: Int(logWork))
        else { throw BrowserError("out_of_range", "scrypt cannot be computed so.") }
        return Answer(blobs: [key])
    }

    /// Begins a file for a passphrase.
    ///
    /// `{random, log_work}`, with 48 random bytes that are the same in both calls, and the passphrase as a blob →
    /// `{salt, log_work}` of the scrypt to compute. With its result as a second blob → `{}`: the file has begun.
    private func beginWriting(_ call: Call) throws(BrowserError) -> Answer {
        sealer = nil
        writer = TarWriter()
        let suite = ExportSuite(random: try call.bytes("random", count: 48), stretched: try Self.stretched(call))
        let logWork = try call.number("log_work")
        guard logWork <= Int64(Self.highestLogWork) else { throw BrowserError(AgeError.invalidWorkFactor) }
        do throws(AgeError) {
            sealer = try AgeSealer(passphrase: call.blobs[0], logWork: Int(logWork), suite: suite)
        } catch {
            guard let missing = suite.missing else { throw BrowserError(error) }
            return Self.need(missing)
        }
        return Answer()
    }

    /// Begins a file or folder: `{names, folder, length, modified}` → a blob, the next bytes of the file.
    private func beginEntry(_ call: Call) throws(BrowserError) -> Answer {
        let names = try call.texts("names", maximumCount: ArchiveLimits.depth, maximum: ArchiveLimits.name)
        let isFolder = try call.flag("folder")
        let length = isFolder ? 0 : try call.number("length")
        let modified = try call.number("modified")
        return try written { writer, output throws(ArchiveError) in
            let entry = ArchiveEntry(
                path: try ArchivePath(names), kind: isFolder ? .folder : .file(length: length), modified: modified)
            try writer.begin(entry, appendingTo: &output)
        }
    }

    /// The rest of the file, as a blob.
    private func endWriting() throws(BrowserError) -> Answer {
        let answer = try written { writer, output throws(ArchiveError) in try writer.finish(appendingTo: &output) }
        var file = answer.blobs[0]
        do throws(AgeError) { try sealer?.finish(appendingTo: &file) } catch { throw BrowserError(error) }
        sealer = nil
        return Answer(blobs: [file])
    }

    /// Seals what is written to the archive.
    private func written(
        _ write: (inout TarWriter, inout Bytes) throws(ArchiveError) -> Void
    ) throws(BrowserError) -> Answer {
        guard sealer != nil else { throw .nothingUnderWay }
        var (archive, file): (Bytes, Bytes) = ([], [])
        do throws(ArchiveError) { try write(&writer, &archive) } catch {
            // Nobody shall take what follows for a whole file.
            sealer = nil
            throw BrowserError(error)
        }
        do throws(AgeError) { try sealer?.seal(archive, appendingTo: &file) } catch { throw BrowserError(error) }
        return Answer(blobs: [file])
    }

    /// Begins to read: a passphrase, or a private key as age writes it, as a blob → `{}`.
    private func beginReading(_ call: Call) throws(BrowserError) -> Answer {
        let secret = call.blobs[0]
        let isKey = secret.starts(with: Bytes(text: "AGE-SECRET-KEY-"))
        do throws(AgeError) {
            identities = [
                isKey
                    ? try AgeIdentity(secret)
                    : AgeIdentity(passphrase: secret, highestLogWork: Self.highestLogWork)
            ]
        } catch {
            throw BrowserError(error)
        }
        beginning = isKey ? nil : []
        suite = ExportSuite()
        opener = AgeOpener(identities, suite: suite)
        reader = TarReader()
        return Answer()
    }

    /// Takes the next bytes of the file, a blob → `{events}`, and the content of files as a blob.
    ///
    /// Or `{salt, log_work}` of a scrypt to compute: then the page calls again with no bytes, and its result as a second
    /// blob.
    private func feed(_ call: Call) throws(BrowserError) -> Answer {
        guard opener != nil else { throw .nothingUnderWay }
        var bytes = call.blobs[0]
        if let stretched = try Self.stretched(call), let begun = beginning {
            bytes = begun + bytes
            beginning = nil
            suite = ExportSuite(stretched: stretched)
            opener = AgeOpener(identities, suite: suite)
        }
        beginning? += bytes
        var archive: Bytes = []
        do throws(AgeError) {
            try opener?.open(bytes, appendingTo: &archive)
        } catch {
            if beginning != nil, let missing = suite.missing { return Self.need(missing) }
            throw refused(BrowserError(error))
        }
        return try events(archive)
    }

    /// Says that nothing follows → the rest, as `feed`.
    ///
    /// Refused unless file and archive are whole.
    private func endReading() throws(BrowserError) -> Answer {
        guard opener != nil else { throw .nothingUnderWay }
        var archive: Bytes = []
        do throws(AgeError) { try opener?.finish(appendingTo: &archive) } catch { throw refused(BrowserError(error)) }
        let answer = try events(archive)
        do throws(ArchiveError) { try reader.finish() } catch { throw refused(BrowserError(error)) }
        opener = nil
        return answer
    }

    private func events(_ archive: Bytes) throws(BrowserError) -> Answer {
        var (events, content): ([JSON], Bytes) = ([], [])
        reader.feed(archive)
        do throws(ArchiveError) {
            while let event = try reader.next() {
                switch event {
                case .entry(let entry): events.append(Self.described(entry))
                case .content(let bytes):
                    content += bytes
                    events.append(.members([("content", .integer(Int64(bytes.count)))]))
                }
            }
        } catch {
            throw refused(BrowserError(error))
        }
        return Answer([("events", .array(events))], blobs: [content])
    }

    private static func described(_ entry: ArchiveEntry) -> JSON {
        var (isFolder, length): (Bool, Int64) = (true, 0)
        if case .file(let bytes) = entry.kind { (isFolder, length) = (false, bytes) }
        return .members([
            ("names", .array(entry.path.names.map { .string($0) })), ("folder", .bool(isFolder)),
            ("length", .integer(length)), ("modified", .integer(entry.modified)),
        ])
    }

    /// Ends reading: what was wrong once gives nothing more.
    private func refused(_ error: BrowserError) -> BrowserError {
        opener = nil
        return error
    }

    /// The result of scrypt in the second blob, if there is one.
    private static func stretched(_ call: Call) throws(BrowserError) -> Bytes? {
        guard call.blobs.count == 2 else { return nil }
        guard call.blobs[1].count == keyLength else {
            throw BrowserError("wrong_length", "The result of scrypt has not 32 bytes.")
        }
        return call.blobs[1]
    }

    private static func need(_ missing: ExportSuite.Stretching) -> Answer {
        Answer([("salt", .base64URL(missing.salt)), ("log_work", .integer(Int64(missing.logWork)))])
    }
}
