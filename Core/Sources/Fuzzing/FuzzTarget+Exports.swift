import Age
import Archives
import BrowserCalls
import Encodings
import ExportBrowser

extension FuzzTarget {
    static let exports = [
        FuzzTarget("age-file", maximumLength: 8192, ageFile),
        FuzzTarget("age-key", maximumLength: 2048, ageKey),
        FuzzTarget("tar", maximumLength: 8192, tar),
        FuzzTarget("export-module", maximumLength: 8192, exportModule),
    ]

    private static func ageFile(_ input: Bytes) throws(BrokenPromise) {
        let identities = [AgeIdentity(passphrase: [1])] + ageIdentities
        func open<Suite: AgeCryptoSuite>(_ pieces: Int, _ suite: Suite) -> (content: Bytes, error: AgeError?) {
            var (opener, content) = (AgeOpener(identities, suite: suite), Bytes())
            do throws(AgeError) {
                for start in stride(from: 0, to: input.count, by: pieces) {
                    try opener.open(Array(input[start..<min(start + pieces, input.count)]), appendingTo: &content)
                }
                try opener.finish(appendingTo: &content)
                return (content, nil)
            } catch {
                return (content, error)
            }
        }
        let whole = open(max(1, input.count), LenientSuite.real)
        let pieces = open(13, LenientSuite.real)
        try expect(whole.error == pieces.error, "pieces of a file say the same as the whole")
        if whole.error == nil {
            try expect(whole.content == pieces.content, "pieces of a file hold the same as the whole")
            try expect(whole.content.count < input.count, "content is shorter than its file")
            let header = try? AgeHeader.read(beginning: input)
            try expect(header != nil, "what opens has a header")
        }
        let refused = open(max(1, input.count), RefusingSuite())
        try expect(refused.error != nil && refused.content.isEmpty, "nothing opens without a tag")
    }

    /// One private key of each type.
    private static var ageIdentities: [AgeIdentity] {
        let texts = [
            "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
            "AGE-SECRET-KEY-PQ-1XX76JRALNLXDMEW0CRK45QMCCH4X06SE84UN3VPM33W6HWDX0H3SK3ZQFR",
        ]
        return texts.compactMap { try? AgeIdentity(Bytes(text: $0)) }
    }

    /// Calls of a worker, as they travel through the memory of the module for exports: each as a length of two bytes and its
    /// frames.
    private static func exportModule(_ input: Bytes) throws(BrokenPromise) {
        let module = ExportBrowser()
        var rest = input[...]
        while rest.count >= 2 {
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            // scrypt is slow by design, and has its own tests.
            let frames = Array(rest.dropFirst(2).prefix(length))
            if Frames.split(frames)?.first?.equals("stretch") != true { try checkAnswer(module.answer(frames)) }
            rest = rest.dropFirst(2 + length)
        }
    }

    private static func ageKey(_ input: Bytes) throws(BrokenPromise) {
        let lower = input.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
        if let recipient = try? AgeRecipient(input) {
            try expect(recipient.text == lower, "one spelling for one recipient, except for capitals")
        }
        if let identity = try? AgeIdentity(input) {
            let text = identity.text?.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
            try expect(text == lower, "one spelling for one identity, except for capitals")
        }
        if let recipients = try? AgeRecipient.readFile(input) {
            try expect(!recipients.isEmpty && recipients.count <= 256, "a file of recipients has some")
        }
        if let identities = try? AgeIdentity.readFile(input) {
            try expect(!identities.isEmpty && identities.count <= 256, "a file of identities has some")
        }
    }

    private static func tar(_ input: Bytes) throws(BrokenPromise) {
        let whole = unpack(input, pieces: max(1, input.count))
        try expect(whole == unpack(input, pieces: 13), "pieces of an archive hold the same as the whole")
        guard let whole else { return }
        var (writer, archive) = (TarWriter(), Bytes())
        for one in whole {
            for name in one.entry.path.names {
                try expect(ArchivePath.safeName(for: name) == name, "a name that is read is safe")
            }
            guard (try? writer.begin(one.entry, appendingTo: &archive)) != nil else {
                throw BrokenPromise(promise: "what is read can be written")
            }
            if one.content.isEmpty { continue }
            guard (try? writer.write(one.content, appendingTo: &archive)) != nil else {
                throw BrokenPromise(promise: "content is as long as its entry says")
            }
        }
        guard (try? writer.finish(appendingTo: &archive)) != nil else {
            throw BrokenPromise(promise: "content is as long as its entry says")
        }
        try expect(unpack(archive, pieces: 4096) == whole, "what is written is read")
    }

    private struct UnpackedEntry: Equatable {
        let entry: ArchiveEntry
        var content: Bytes
    }

    private static func unpack(_ archive: Bytes, pieces: Int) -> [UnpackedEntry]? {
        var (reader, entries) = (TarReader(), [UnpackedEntry]())
        do throws(ArchiveError) {
            for start in stride(from: 0, to: archive.count, by: pieces) {
                reader.feed(Array(archive[start..<min(start + pieces, archive.count)]))
                while let event = try reader.next() {
                    switch event {
                    case .entry(let entry): entries.append(UnpackedEntry(entry: entry, content: []))
                    case .content(let content): entries[entries.count - 1].content += content
                    }
                }
            }
            try reader.finish()
            return entries
        } catch {
            return nil
        }
    }
}

/// Takes every tag for good, and agrees with everybody at once, so that a fuzzer gets to the content.
extension LenientSuite: AgeCryptoSuite {
    func x25519(_ secret: Bytes, publicKey: Bytes) -> Bytes? { Bytes(repeating: 1, count: 32) }
    func scrypt(_ passphrase: Bytes, salt: Bytes, logWork: Int) -> Bytes? { Bytes(repeating: 1, count: 32) }
    func hybridDecapsulate(_ encapsulation: Bytes, seed: Bytes) -> Bytes? { Bytes(repeating: 1, count: 32) }

    func openChaCha20Poly1305(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard sealed.count >= 16 else { return false }
        output += sealed.dropLast(16)
        return true
    }
}

/// Opens nothing.
extension RefusingSuite: AgeCryptoSuite {
    func x25519(_ secret: Bytes, publicKey: Bytes) -> Bytes? { Bytes(repeating: 1, count: 32) }
    func scrypt(_ passphrase: Bytes, salt: Bytes, logWork: Int) -> Bytes? { Bytes(repeating: 1, count: 32) }
    func hybridDecapsulate(_ encapsulation: Bytes, seed: Bytes) -> Bytes? { Bytes(repeating: 1, count: 32) }

    func openChaCha20Poly1305(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool { false }
}
