import Encodings
import Foundation
import Testing

@testable import countersign

/// How far a transfer is, where a person watches.
@Suite("Progress of countersign wallet vault", .blocking, .timeLimit(.minutes(15)))
struct VaultProgressTests {
    /// Everything that a terminal was sent, and how it looks in the end.
    private struct Screen {
        /// All that was written between two moves of the cursor.
        let strokes: [String]
        /// Lines without the blanks at their ends; the last is the one that the cursor is in.
        private(set) var lines: [String] = []
        /// The strokes that are a bar.
        let bars: [Bar]

        init(_ outcome: Program.Outcome) throws {
            // A line feed and the carriage return before it would be one character.
            let scalars = Array(outcome.output.unicodeScalars)
            strokes = scalars.split { $0 == "\r" || $0 == "\n" }.map { piece in
                var text = ""
                for scalar in piece { text.unicodeScalars.append(scalar) }
                return text
            }
            bars = try strokes.filter { $0.contains(" %") }.map { try Bar($0) }
            var line: [Unicode.Scalar] = []
            var column = 0
            for scalar in scalars {
                switch scalar {
                case "\r": column = 0
                case "\n":
                    lines.append(Self.text(line))
                    line = []
                default:
                    if column < line.count { line[column] = scalar } else { line.append(scalar) }
                    column += 1
                }
            }
            lines.append(Self.text(line))
        }

        private static func text(_ line: [Unicode.Scalar]) -> String {
            var text = ""
            for scalar in line { text.unicodeScalars.append(scalar) }
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    /// `big.bin  [##########..........] 50 %  3.00 MB  12.0 MB/s`.
    private struct Bar {
        let name: String
        let full: Int
        let percent: Int
        let done: String
        let speed: String

        init(_ stroke: String) throws {
            let found = try #require(
                stroke.wholeMatch(of: #/(\S+)  \[(#*)(\.*)\] (\d+) %  (\S+ k?M?B)  (\S+ \S?B\/s) */#), "\(stroke)")
            #expect(found.2.count + found.3.count == 20)
            name = String(found.1)
            full = found.2.count
            percent = try #require(Int(found.4))
            done = String(found.5)
            speed = String(found.6)
        }
    }

    /// The bar of a whole transfer: it only grows, up to the end, and is as long as it says.
    private static func expectGrowth(_ bars: [Bar], to size: String? = nil) throws {
        let (first, last) = (try #require(bars.first), try #require(bars.last))
        #expect(bars.count > 1 && first.percent < 100 && first.full < 20 && first.done != last.done, "\(bars)")
        #expect(last.percent == 100 && last.full == 20, "\(bars)")
        if let size { #expect(last.done == size, "\(bars)") }
        for (one, next) in zip(bars, bars.dropFirst()) { #expect(one.percent <= next.percent, "\(bars)") }
        for bar in bars { #expect(bar.name == "big.bin" && bar.full == bar.percent / 5, "\(bar)") }
        // Nothing here is that fast: it would be shown if less time were counted than has passed.
        #expect(!bars.contains { $0.speed.hasSuffix("GB/s") || $0.speed.hasSuffix("TB/s") }, "\(bars)")
    }

    private static func run(
        _ scene: VaultCommandTests.Scene, _ arguments: [String], outputTo file: String? = nil
    ) throws -> Program.Outcome {
        let outcome = try Program.onTerminal(
            ["wallet", "vault"] + arguments
                + ["--wallet", scene.cast.path(DemoCast.owner), "--passphrase-file", scene.folder.path("pass")],
            outputTo: file)
        #expect(outcome.status == 0, "\(outcome)")
        return outcome
    }

    @Test("on a terminal a bar grows to the end and goes away; with --json, and over what is printed, there is none")
    func watched() async throws {
        let scene = try await VaultCommandTests.Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        let content = Data(String(repeating: "0123456789abcdefghi\n", count: 1_000_000).utf8)
        try content.write(to: URL(fileURLWithPath: folder.path("big.bin")))

        let put = try Screen(Self.run(scene, ["put", folder.path("big.bin")]))
        try Self.expectGrowth(put.bars)
        #expect(put.bars.first?.percent == 0)
        #expect(put.lines == ["big.bin  20.0 MB, encrypted here", ""])

        let out = folder.path("out.bin")
        let get = try Screen(Self.run(scene, ["get", "big.bin", "-o", out]))
        try Self.expectGrowth(get.bars, to: "20.0 MB")
        #expect(get.lines == ["big.bin  stored as \(out)", ""])
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == content)

        // Standard output goes to a program or a file: the bar is beside it, and not in it.
        let piped = try Screen(Self.run(scene, ["get", "big.bin", "-o", "-"], outputTo: folder.path("piped.bin")))
        try Self.expectGrowth(piped.bars, to: "20.0 MB")
        #expect(piped.lines == [""])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("piped.bin"))) == content)

        // A text on the terminal stays there: a bar would be drawn over its last line, and take it away.
        #expect(try scene.run(["put", "-", "--to", "a.txt"], input: "one\ntwo").status == 0)
        let shown = try Screen(Self.run(scene, ["get", "a.txt", "-o", "-"]))
        #expect(shown.lines == ["one", "two"] && shown.bars.isEmpty, "\(shown)")

        // Programs that have a terminal get JSON and nothing else.
        for arguments in [
            ["put", folder.path("big.bin"), "--replace", "--json"], ["get", "big.bin", "-o", out, "--force", "--json"],
        ] {
            let told = try Self.run(scene, arguments)
            #expect(try Screen(told).strokes.count == 1, "\(told)")
            #expect(try ServerMachine.json(told)["items"]?.array?.count == 1, "\(told)")
        }
    }
}
