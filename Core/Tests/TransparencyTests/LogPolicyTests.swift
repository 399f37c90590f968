import Encodings
import Testing
import Transparency

@Suite("Log policies")
struct LogPolicyTests {
    /// Keys by number: the same number is the same key.
    static func key(_ number: UInt8, name: String? = nil, log: Bool = false) throws -> NoteVerifierKey {
        try NoteVerifierKey(
            name: Bytes(text: name ?? (log ? "log.example/log" : "w\(number).example")),
            publicKey: Bytes(repeating: number, count: 32), algorithm: log ? .ed25519 : .cosignature)
    }

    /// `$1` is the key of witness 1, `@1` that of log 1.
    static func text(_ template: String) throws -> Bytes {
        var text = template
        for number in UInt8(1)...9 {
            text = text.replacing("$\(number)", with: try key(number).encoded().text)
            text = text.replacing("@\(number)", with: try key(number + 100, log: true).encoded().text)
        }
        return Bytes(text: text)
    }

    static func isMet(_ policy: LogPolicy, by numbers: [UInt8]) throws -> Bool {
        let suite = QuickSuite()
        let log = try key(101, log: true)
        var note = try SignedNote(text: try Checkpoint(origin: log.name, size: 0, root: suite.sha256([])).encoded())
        note.add(try log.line(QuickSuite.sign(note.text, log.publicKey)))
        for number in numbers {
            let witness = try key(number)
            let message = SignedNote.message(for: .cosignature, text: note.text, time: 5)
            note.add(try witness.line(QuickSuite.sign(message, witness.publicKey), time: 5))
        }
        do {
            let verified = try VerifiedCheckpoint.verify(note.encoded(), policy: policy, suite: suite)
            #expect(verified.logKey == log)
            return true
        } catch TransparencyError.unwitnessed {
            return false
        }
    }

    @Test("a key alone is a policy without witnesses")
    func keyAlone() throws {
        let key = try Self.key(101, log: true)
        #expect(try LogPolicy.read(key.encoded()) == LogPolicy(logKey: key))
        #expect(try LogPolicy.read(key.encoded() + [0x0A]) == LogPolicy(logKey: key))
        #expect(throws: TransparencyError.unsupportedKey) { try LogPolicy.read(try Self.key(1).encoded()) }
        #expect(throws: TransparencyError.malformedPolicy) { try LogPolicy.read(Bytes(text: "quorum none\n")) }
        #expect(try LogPolicy.parse(Bytes(text: "quorum none\n")).logs.isEmpty)
    }

    @Test("two of three, one of two, and both groups: as the quorum says")
    func groups() throws {
        let policy = try LogPolicy.read(
            Self.text(
                """
                # whose log
                log @1 https://log.example
                \twitness  X1\t$1   https://w1.example
                witness X2 $2
                witness X3 $3

                group X 2 X1 X2 X3
                witness Y1 $4
                witness Y2 $5
                group Y any Y1 Y2
                group both all X Y
                quorum both

                """))
        #expect(policy.logs.map(\.url) == [Bytes(text: "https://log.example")])
        #expect(policy.witnesses.map(\.url) == [Bytes(text: "https://w1.example"), nil, nil, nil, nil])
        #expect(policy.needsWitnesses)
        for (signers, expected) in [
            ([], false), ([1, 2], false), ([4, 5], false), ([1, 4], false), ([1, 2, 4], true), ([3, 2, 5], true),
            ([1, 2, 3, 4, 5], true), ([6, 7, 8], false),
        ] as [([UInt8], Bool)] {
            #expect(try Self.isMet(policy, by: signers) == expected, "\(signers)")
        }
    }

    @Test("a witness that signs twice counts once")
    func twice() throws {
        let policy = try LogPolicy.read(
            Self.text("log @1\nwitness a $1\nwitness b $2\ngroup g 2 a b\nquorum g\n"))
        #expect(try !Self.isMet(policy, by: [1, 1]))
        #expect(try Self.isMet(policy, by: [2, 1]))
    }

    @Test(
        "what is out of form is refused",
        arguments: [
            "log @1\n", "log @1\nquorum none\nquorum none\n", "log @1\nquorum w\n", "quorum\n", "log\nquorum none\n",
            "log @1\nlog @1\nquorum none\n", "log @1 a b\nquorum none\n", "log @1\nquorum none none\n",
            "log @1\nwitness none $1\nquorum none\n", "log @1\nwitness a $1\nwitness a $2\nquorum none\n",
            "log @1\nwitness a $1\nwitness b $1\nquorum none\n", "log @1\nwitness a\nquorum none\n",
            "log @1\nquorum a\nwitness a $1\n", "log @1\ngroup g any a\nwitness a $1\nquorum none\n",
            "log @1\nwitness a $1\ngroup g 0 a\nquorum g\n", "log @1\nwitness a $1\ngroup g 2 a\nquorum g\n",
            "log @1\nwitness a $1\ngroup g 01 a\nquorum g\n", "log @1\nwitness a $1\ngroup g any\nquorum g\n",
            "log @1\nwitness a $1\ngroup g all a a\nquorum g\n", "log @1\ngroup g any none\nquorum g\n",
            "log @1\nwitness a $1\ngroup g any a\ngroup h any a\nquorum h\n", "log @1\nfrobnicate\nquorum none\n",
            "log @1\nquorum none", "log @1\r\nquorum none\n", "log @1\nquorum none\u{0}\n", "",
            "log @1\nwitness a $1\ngroup a any a\nquorum a\n", "LOG @1\nquorum none\n",
        ])
    func refused(template: String) throws {
        let text = try Self.text(template)
        #expect(throws: TransparencyError.malformedPolicy) { try LogPolicy.parse(text) }
    }

    @Test("a witness's key is no log key, and the other way round")
    func kinds() throws {
        for template in ["log $1\nquorum none\n", "log @1\nwitness a @2\nquorum a\n"] {
            let text = try Self.text(template)
            #expect(throws: TransparencyError.unsupportedKey) { try LogPolicy.read(text) }
        }
    }

    @Test("names are bytes, and comments may hold anything printable")
    func names() throws {
        let policy = try LogPolicy.read(
            Self.text("# Universität ✓\n  # more\n\nlog @1\nwitness Bücherei $1\nquorum Bücherei\n"))
        #expect(policy.witnesses.first?.name == Bytes(text: "Bücherei"))
        #expect(try Self.isMet(policy, by: [1]))
    }

    @Test("more than any policy needs is refused")
    func limits() throws {
        let many = try (0...LogPolicy.maximumCount).map {
            "witness w\($0) "
                + (try NoteVerifierKey(
                    name: Bytes(text: "w"), publicKey: Bytes(repeating: UInt8($0), count: 32), algorithm: .cosignature
                )
                .encoded().text) + "\n"
        }
        #expect(throws: TransparencyError.tooLarge) {
            try LogPolicy.parse(Bytes(text: many.joined() + "quorum none\n"))
        }
        #expect(try LogPolicy.parse(Bytes(text: many.dropLast().joined() + "quorum none\n")).witnesses.count == 64)
        let long = Bytes(text: "# " + String(repeating: "x", count: LogPolicy.maximumLength) + "\nquorum none\n")
        #expect(throws: TransparencyError.tooLarge) { try LogPolicy.parse(long) }
    }

    @Test("a rotated log: both keys are believed, each under the log's one name")
    func rotation() throws {
        let policy = try LogPolicy.read(Self.text("log @1\nlog @2\nquorum none\n"))
        #expect(policy.origins == [Bytes(text: "log.example/log")])
        let suite = QuickSuite()
        for number in UInt8(101)...103 {
            let key = try Self.key(number, log: true)
            var note = try SignedNote(
                text: try Checkpoint(origin: key.name, size: 0, root: suite.sha256([])).encoded())
            note.add(try key.line(QuickSuite.sign(note.text, key.publicKey)))
            let bytes = note.encoded()
            if number == 103 {
                #expect(throws: TransparencyError.unsigned) {
                    try VerifiedCheckpoint.verify(bytes, policy: policy, suite: suite)
                }
            } else {
                #expect(try VerifiedCheckpoint.verify(bytes, policy: policy, suite: suite).logKey == key)
            }
        }
    }
}
